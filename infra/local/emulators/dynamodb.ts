import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
  type UpdateTimeToLiveCommandInput,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';
import { credentials, type Emulator } from './emulator.ts';
import { findUnreachableAddress, isListening } from './port.ts';

const version = '1.2.1';

const toDatabaseFile = (dataDir: string) => join(dataDir, 'dynamodb.sqlite');

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
  const file = toDatabaseFile(dataDir);
  const options = ['--host', host, '--port', String(port), '--db-path', file];
  const child = spawn(command, [...args, 'serve', ...options], { stdio: 'ignore' });
  child.on('error', () => {}); // `waitUntilListening` reports the failure
  const end = () => child.kill();
  process.once('exit', end); // also if the host crashes
  try {
    await waitUntilListening(child, host, port);
    indexStreams(dataDir);
  } catch (error) {
    end();
    throw error;
  }
  return {
    endpoint: `http://${host}:${port}`,
    stop: async () => {
      process.off('exit', end);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/**
 * Runs SQL on the database of dynoxide, which can keep running. Waits up to `timeout` milliseconds for its writes. Does nothing for the
 * DynamoDB at `DYNAMODB_ENDPOINT`.
 */
function changeDatabase(dataDir: string, timeout: number, change: (database: DatabaseSync) => void): void {
  const file = toDatabaseFile(dataDir);
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout });
  try {
    change(database);
  } finally {
    database.close();
  }
}

/** Adds the index by which dynoxide finds a stream's last number. It looks for it with each write, otherwise in all records of the stream. */
const indexStreams = (dataDir: string): void =>
  changeDatabase(dataDir, 5_000, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );

/** True for the error of a database that another process is writing: code 5 of SQLite, the lowest byte of its extended codes. */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;

/** Time between two tries of a checkpoint, in milliseconds. */
const retryMs = 50;

/** Truncates the write-ahead log. Returns false if others use the database all the time. */
function truncateLog(database: DatabaseSync, timeoutMs: number): boolean {
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  const endsAt = performance.now() + timeoutMs;
  while (checkpoint.get()?.busy) {
    if (performance.now() > endsAt) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs); // SQLite does not wait for the checkpoint of another
  }
  return true;
}

/**
 * Rewrites the database file without deleted rows, which SQLite otherwise keeps in free pages, and without their keys in the stream. Keeps
 * the records of the stream, whose numbers continue from the last one. dynoxide stores keys with their type: `S:<key>`. Throws UserError
 * if others use the database all the time.
 */
export function scrubDynamoDb(dataDir: string, timeoutMs = 30_000): void {
  const inUse = new UserError('The local database is in use and may still hold deleted rows: run this again');
  try {
    changeDatabase(dataDir, timeoutMs, (database) => {
      const tables = database.prepare('SELECT DISTINCT table_name AS name FROM _stream_records').all();
      for (const { name } of tables) {
        const table = `"${String(name).replaceAll('"', '""')}"`;
        const scrub = `UPDATE _stream_records SET keys_json = '{"pk":{"S":"-"},"sk":{"S":"-"}}' WHERE table_name = ? AND NOT EXISTS (
             SELECT 1 FROM ${table} WHERE pk = 'S:' || (keys_json ->> '$.pk.S') AND sk = 'S:' || (keys_json ->> '$.sk.S'))`;
        database.prepare(scrub).run(name ?? null);
      }
      database.exec('PRAGMA secure_delete = ON; VACUUM');
      if (!truncateLog(database, timeoutMs)) throw inUse;
    });
  } catch (error) {
    throw isBusy(error) ? inUse : error;
  }
}

/**
 * Deletes the records of a table's stream before a sequence number, but for `kept` ones. dynoxide keeps all of them, AWS for 24 hours.
 * Returns false while dynoxide is writing: waiting would stop the whole host.
 */
export function trimStream(dataDir: string, tableName: string, sequenceNumber: string, kept: string[] = []): boolean {
  try {
    changeDatabase(dataDir, 0, (database) => {
      const trim = `DELETE FROM _stream_records WHERE table_name = ? AND CAST(sequence_number AS INTEGER) < ?
        AND CAST(sequence_number AS INTEGER) NOT IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`;
      database.prepare(trim).run(tableName, Number(sequenceNumber), JSON.stringify(kept));
    });
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/**
 * Maximum number of rows per page. dynoxide reads all up to `Limit`, or the whole partition or
 * table, for each page of 1 MB, and everybody else waits meanwhile.
 */
export const maxPageRows = 100;

/** Limits the rows that a query reads for one page. Clients read on as from any page that is full. */
export function limitQuery(body: Buffer): Buffer {
  const query = JSON.parse(body.toString());
  return query.Limit <= maxPageRows ? body : Buffer.from(JSON.stringify({ ...query, Limit: maxPageRows }));
}

/** Table of a template. */
export interface TableTemplate extends CreateTableCommandInput {
  TimeToLiveSpecification?: UpdateTimeToLiveCommandInput['TimeToLiveSpecification'];
}

/**
 * Creates a table as its template describes it. Adds the indexes and the stream that an existing one lacks, because an earlier release
 * has created it.
 */
export async function createTable(endpoint: string, template: TableTemplate): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const { TableName, AttributeDefinitions, KeySchema, BillingMode, GlobalSecondaryIndexes } = template;
  const { TimeToLiveSpecification } = template;
  const StreamSpecification = template.StreamSpecification && { ...template.StreamSpecification, StreamEnabled: true };
  const table = {
    TableName,
    AttributeDefinitions,
    KeySchema,
    BillingMode,
    GlobalSecondaryIndexes,
    StreamSpecification,
  };
  try {
    await client.send(new CreateTableCommand(table));
    if (TimeToLiveSpecification) await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await completeTable(client, table);
  } finally {
    client.destroy();
  }
}

/** Adds the indexes and the stream of a template that a table lacks. */
async function completeTable(
  client: DynamoDBClient,
  { TableName, AttributeDefinitions, GlobalSecondaryIndexes = [], StreamSpecification }: CreateTableCommandInput,
): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const existing = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const update = async (change: Omit<UpdateTableCommandInput, 'TableName'>) => {
    await client.send(new UpdateTableCommand({ TableName, ...change }));
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName }); // until it accepts another change
  };
  for (const index of GlobalSecondaryIndexes.filter(({ IndexName }) => !existing.has(IndexName)))
    await update({ AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: index }] });
  if (StreamSpecification && !Table?.StreamSpecification?.StreamEnabled) await update({ StreamSpecification });
}
