import { chmodSync, mkdirSync } from 'node:fs';
import type { CreateTableCommandInput, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb';
import { Problem } from '../problem.ts';
import { bucketName, bucketsOf, cloudFront } from './buckets.ts';
import { createTable, scrubDynamoDb, startDynamoDb } from './emulators/dynamodb.ts';
import type { Emulator } from './emulators/emulator.ts';
import { clientId, LocalIssuer } from './emulators/issuer.ts';
import { serveIssuer } from './emulators/issuer-server.ts';
import { startKms } from './emulators/kms.ts';
import { startS3 } from './emulators/s3.ts';
import { startSqs } from './emulators/sqs.ts';
import { objectEvents } from './events.ts';
import { type Gates, startGates } from './gatekeeper.ts';
import type { Queue } from './queue.ts';
import { queuesOf } from './queues.ts';
import { lambda } from './released.ts';
import { findRunning, removeRunning, writeRunning } from './running.ts';
import { Assembly, arnOf, type Physical, type Resource } from './template.ts';

/** The services of AWS on this machine, and where their data is. */
export interface Services {
  assembly: Assembly;
  issuer: LocalIssuer;
  /** `AWS_ENDPOINT_URL_*`, by which the SDK finds them. Functions get those of their own gates instead. */
  endpoints: Record<string, string>;
  gates: Gates;
  /** Origins of the consoles that people may sign in to. None where another host has them. */
  consoles: Set<string>;
  /** The queues of the templates, by ARN. None where another host has them. */
  queues: Map<string, Queue>;
  /** Takes what was deleted from the table off the disk. */
  scrub(): void;
  stop(): Promise<void>;
}

const nameOf = ({ stack, id }: Resource) => `${stack}-${id}`;

/** What stands here in the place of each resource that the functions are told of. */
const physical = (issuer: LocalIssuer): Record<string, Physical> => ({
  'AWS::DynamoDB::GlobalTable': (table) => ({ Ref: nameOf(table), Arn: arnOf('dynamodb', `table/${nameOf(table)}`) }),
  'AWS::S3::Bucket': (bucket) => ({ Ref: bucketName(bucket), Arn: `arn:aws:s3:::${bucketName(bucket)}` }),
  'AWS::SQS::Queue': (queue) => ({
    Ref: `http://127.0.0.1/000000000000/${nameOf(queue)}`,
    Arn: arnOf('sqs', nameOf(queue)),
  }),
  'AWS::KMS::Key': (key) => ({ Ref: nameOf(key), Arn: arnOf('kms', `key/${nameOf(key)}`) }),
  'AWS::Cognito::UserPool': (pool) => ({ Ref: nameOf(pool), ProviderURL: issuer.url }),
  'AWS::Cognito::UserPoolClient': () => ({ Ref: clientId }),
  'AWS::IAM::Role': (role) => ({ Arn: `arn:aws:iam::000000000000:role/${nameOf(role)}` }),
  ...cloudFront,
  ...lambda,
});

/**
 * The services that a running host has started on a data folder. Their `stop` leaves them to the host. The gates are new ones,
 * as the templates may be.
 */
export async function runningServices(dataDir: string, assemblyDir: string): Promise<Services | undefined> {
  const found = await findRunning(dataDir);
  if (!found) return undefined;
  const issuer = await LocalIssuer.open(dataDir);
  const assembly = new Assembly(assemblyDir, physical(issuer));
  const { endpoints } = found;
  const gates = await startGates(assembly, endpoints);
  return {
    assembly,
    issuer,
    endpoints,
    gates,
    consoles: new Set(),
    queues: new Map(),
    scrub: () => scrubDynamoDb(dataDir),
    stop: () => gates.stop(),
  };
}

/** Starts the services on a data folder, and makes the tables and buckets of the templates. Throws Problem. */
export async function startServices(dataDir: string, assemblyDir: string): Promise<Services> {
  const other = await findRunning(dataDir);
  if (other)
    throw new Problem(`${dataDir} is in use by process ${other.pid}: stop it, or choose another folder by DATA_DIR`);
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  const issuer = await LocalIssuer.open(dataDir);
  const assembly = new Assembly(assemblyDir, physical(issuer));

  const tables = assembly.resources('AWS::DynamoDB::GlobalTable');
  const queues = queuesOf(assembly, dataDir);
  const created = objectEvents(assembly, queues);

  const started: Pick<Emulator, 'stop'>[] = [];
  const stopAll = () => Promise.all(started.map((emulator) => emulator.stop()));
  const endpoints: Record<string, string> = {};
  const consoles = new Set<string>();
  let gates: Gates;
  const start = async (service: string, emulator: Promise<Emulator>) => {
    started.push(await emulator);
    endpoints[`AWS_ENDPOINT_URL_${service}`] = (await emulator).endpoint;
  };
  try {
    await start('DYNAMODB', startDynamoDb(dataDir));
    await start('S3', startS3(dataDir, bucketsOf(assembly), created));
    await start('KMS', startKms(dataDir));
    await start('SQS', startSqs(queues));
    started.push(await serveIssuer(issuer, consoles));
    for (const table of tables) {
      await createTable(
        endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
        { ...table.Properties, TableName: nameOf(table) } as CreateTableCommandInput,
        table.Properties.TimeToLiveSpecification as UpdateTimeToLiveCommandInput['TimeToLiveSpecification'],
      );
    }
    gates = await startGates(assembly, endpoints);
    started.push(gates);
  } catch (error) {
    await stopAll();
    throw error;
  }
  writeRunning(dataDir, { pid: process.pid, endpoints });
  return {
    assembly,
    issuer,
    endpoints,
    gates,
    consoles,
    queues,
    scrub: () => scrubDynamoDb(dataDir),
    stop: async () => {
      await stopAll();
      removeRunning(dataDir);
    },
  };
}
