import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../terminal/user-error.ts';
import { cloudFrontResolvers, listBuckets, toBucketName } from './buckets.ts';
import { openBuses } from './buses/buses.ts';
import { createObjectEventSender } from './buses/object-events.ts';
import { createTable, scrubDynamoDb, startDynamoDb, type TableTemplate } from './emulators/dynamodb.ts';
import type { Emulator } from './emulators/emulator.ts';
import { startEventBridge } from './emulators/eventbridge.ts';
import { clientId, LocalIssuer } from './emulators/issuer/issuer.ts';
import { serveIssuer } from './emulators/issuer/server.ts';
import { startKms } from './emulators/kms.ts';
import { removeLeftovers, startS3 } from './emulators/s3/s3.ts';
import { startSqs } from './emulators/sqs.ts';
import { type PermissionProxies, startPermissionProxies } from './iam/proxy.ts';
import { lambdaResolvers } from './lambda/aliases.ts';
import { openQueues } from './queues/open-queues.ts';
import type { Queue } from './queues/queue.ts';
import { findRunning, removeRunning, wasKilled, writeRunning } from './running-hosts.ts';
import { Assembly, type AttributeResolver, type Resource, toArn } from './template.ts';

/** The local replacements of the AWS services, on one data folder. */
export interface Services {
  dataDir: string;
  assembly: Assembly;
  issuer: LocalIssuer;
  /** `AWS_ENDPOINT_URL_*` variables for the SDK. Functions get the endpoints of their permission proxy instead. */
  endpoints: Record<string, string>;
  proxies: PermissionProxies;
  /** Console origins that the issuer signs users in to. Empty if another host runs the services. */
  consoles: Set<string>;
  /** Queues of the templates by ARN. Empty if another host runs the services. */
  queues: Map<string, Queue>;
  /** Erases deleted rows of the table from the disk. */
  scrub(): void;
  stop(): Promise<void>;
}

const toName = ({ stack, id }: Resource) => `${stack}-${id}`;

/** Returns resolvers for each type of resource that a template refers to. */
const createAttributeResolvers = (issuer: LocalIssuer): Record<string, AttributeResolver> => ({
  'AWS::DynamoDB::GlobalTable': (table) => ({
    Ref: toName(table),
    Arn: toArn('dynamodb', `table/${toName(table)}`),
    StreamArn: toArn('dynamodb', `table/${toName(table)}/stream/local`),
  }),
  'AWS::Events::EventBus': (bus) => ({
    Ref: String(bus.Properties.Name),
    Name: String(bus.Properties.Name),
    Arn: toArn('events', `event-bus/${bus.Properties.Name}`),
  }),
  'AWS::S3::Bucket': (bucket) => ({ Ref: toBucketName(bucket), Arn: `arn:aws:s3:::${toBucketName(bucket)}` }),
  'AWS::SQS::Queue': (queue) => ({
    Ref: `http://127.0.0.1/000000000000/${toName(queue)}`,
    Arn: toArn('sqs', toName(queue)),
  }),
  'AWS::KMS::Key': (key) => ({ Ref: toName(key), Arn: toArn('kms', `key/${toName(key)}`) }),
  'AWS::Cognito::UserPool': (pool) => ({ Ref: toName(pool), ProviderURL: issuer.url }),
  'AWS::Cognito::UserPoolClient': () => ({ Ref: clientId }),
  'AWS::IAM::Role': (role) => ({ Arn: `arn:aws:iam::000000000000:role/${toName(role)}` }),
  ...cloudFrontResolvers,
  ...lambdaResolvers,
});

/**
 * Returns the services of the host that runs on a data folder, if any. Their `stop` leaves them running. The permission proxies are
 * new, because the templates may have changed since the host started.
 */
export async function findRunningServices(dataDir: string, assemblyDir: string): Promise<Services | undefined> {
  const found = await findRunning(dataDir);
  if (!found) return undefined;
  const issuer = await LocalIssuer.open(dataDir);
  const assembly = new Assembly(assemblyDir, createAttributeResolvers(issuer));
  const { endpoints } = found;
  const proxies = await startPermissionProxies(assembly, endpoints);
  return {
    dataDir,
    assembly,
    issuer,
    endpoints,
    proxies: proxies,
    consoles: new Set(),
    queues: new Map(),
    scrub: () => scrubDynamoDb(dataDir),
    stop: () => proxies.stop(),
  };
}

/** Starts the services on a data folder, and creates the tables and buckets of the templates. Throws UserError if the folder is in use. */
export async function startServices(dataDir: string, assemblyDir: string): Promise<Services> {
  const running = await findRunning(dataDir);
  if (running)
    throw new UserError(
      `${dataDir} is in use by process ${running.pid}: stop it, or choose another folder by DATA_DIR`,
    );
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  const issuer = await LocalIssuer.open(dataDir);
  const assembly = new Assembly(assemblyDir, createAttributeResolvers(issuer));

  const tables = assembly.listResources('AWS::DynamoDB::GlobalTable');
  const queues = openQueues(assembly, dataDir);
  const busLog = join(dataDir, 'logs', 'bus.log');
  mkdirSync(dirname(busLog), { recursive: true });
  const buses = openBuses(assembly, queues, (event) => appendFileSync(busLog, `${JSON.stringify(event)}\n`));

  const started: Pick<Emulator, 'stop'>[] = [];
  const stopAll = () => Promise.all(started.map((emulator) => emulator.stop()));
  const endpoints: Record<string, string> = {};
  const consoles = new Set<string>();
  let proxies: PermissionProxies;
  const start = async (service: string, emulator: Promise<Emulator>) => {
    started.push(await emulator);
    endpoints[`AWS_ENDPOINT_URL_${service}`] = (await emulator).endpoint;
  };
  try {
    await start('DYNAMODB', startDynamoDb(dataDir));
    if (wasKilled(dataDir)) await removeLeftovers(dataDir);
    await start('S3', startS3(dataDir, listBuckets(assembly), createObjectEventSender(assembly, buses)));
    await start('KMS', startKms(dataDir));
    await start('SQS', startSqs(queues));
    await start('EVENTBRIDGE', startEventBridge(buses));
    started.push(await serveIssuer(issuer, consoles));
    for (const table of tables) {
      const template = { ...table.Properties, TableName: toName(table) } as unknown as TableTemplate;
      await createTable(endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '', template);
    }
    proxies = await startPermissionProxies(assembly, endpoints);
    started.push(proxies);
  } catch (error) {
    await stopAll();
    throw error;
  }
  writeRunning(dataDir, { pid: process.pid, endpoints });
  return {
    dataDir,
    assembly,
    issuer,
    endpoints,
    proxies: proxies,
    consoles,
    queues,
    scrub: () => scrubDynamoDb(dataDir),
    stop: async () => {
      await stopAll();
      removeRunning(dataDir);
    },
  };
}
