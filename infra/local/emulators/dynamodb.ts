import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  type UpdateTimeToLiveCommandInput,
} from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';
import { credentials, type Emulator } from './emulator.ts';
import { findUnreachableAddress, isListening } from './port.ts';

const version = '1.2.1';

/** Returns the command of dynoxide: the program from npm on Linux x64, npx on other systems. */
function findProgram(): [command: string, ...args: string[]] {
  try {
    return [createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide')];
  } catch {
    return ['npx', '-y', `dynoxide@${version}`];
  }
}

async function waitUntilListening(child: ChildProcess, host: string, port: number): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (await isListening(port, host)) return;
    if (child.exitCode !== null) break;
    await sleep(20);
  }
  child.kill();
  throw new UserError(
    `The DynamoDB emulator (dynoxide ${version}) does not start: set DYNAMODB_ENDPOINT to the address of another one`,
  );
}

/**
 * Starts DynamoDB on one file, or uses the one at `DYNAMODB_ENDPOINT`. dynoxide checks no signatures and allows pages of every origin to
 * read and write, so it listens on a port that browsers block.
 */
export async function startDynamoDb(dataDir: string): Promise<Emulator> {
  const { DYNAMODB_ENDPOINT: endpoint } = process.env;
  if (endpoint) {
    const { hostname, port } = new URL(endpoint);
    if (!(await isListening(Number(port), hostname)))
      throw new UserError(`Cannot reach DynamoDB at DYNAMODB_ENDPOINT=${endpoint}: start it, or unset the variable`);
    return { endpoint, stop: async () => {} };
  }

  const { host, port } = await findUnreachableAddress();
  const [command, ...args] = findProgram();
  const file = join(dataDir, 'dynamodb.sqlite');
  const options = ['--host', host, '--port', String(port), '--db-path', file];
  const child = spawn(command, [...args, 'serve', ...options], { stdio: 'ignore' });
  child.on('error', () => {}); // `waitUntilListening` reports the failure
  await waitUntilListening(child, host, port);
  return {
    endpoint: `http://${host}:${port}`,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/**
 * Rewrites the database file without deleted rows, which SQLite otherwise keeps in free pages. dynoxide can keep running. Does nothing
 * for the DynamoDB at `DYNAMODB_ENDPOINT`.
 */
export function scrubDynamoDb(dataDir: string): void {
  if (process.env.DYNAMODB_ENDPOINT) return;
  const database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'), { timeout: 30_000 });
  database.exec('PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Creates a table as its template describes it, unless it exists. */
export async function createTable(
  endpoint: string,
  table: CreateTableCommandInput,
  timeToLive: UpdateTimeToLiveCommandInput['TimeToLiveSpecification'],
): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const { TableName, AttributeDefinitions, KeySchema, BillingMode, GlobalSecondaryIndexes } = table;
  try {
    await client.send(
      new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode, GlobalSecondaryIndexes }),
    );
    if (timeToLive) {
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: timeToLive }));
    }
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}
