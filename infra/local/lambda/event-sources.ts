import { join } from 'node:path';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { compileEventPattern } from '../buses/event-pattern.ts';
import { startSchedules } from '../buses/schedules.ts';
import { trimStream } from '../emulators/dynamodb.ts';
import { credentials } from '../emulators/emulator.ts';
import type { Services } from '../services.ts';
import { deliverRecords, readCheckpoint } from '../streams/deliver-records.ts';
import { TableStream } from '../streams/stream.ts';
import { expectOnly } from '../template.ts';
import { resolveAliases, toFunctionArn } from './aliases.ts';
import type { FunctionRunner } from './function-runner.ts';

interface MappingProperties {
  /** Function and alias, for example `name:live`. */
  FunctionName: string;
  EventSourceArn: string;
  BatchSize?: number;
  ScalingConfig?: { MaximumConcurrency: number };
  FunctionResponseTypes?: string[];
  FilterCriteria?: { Filters: { Pattern: string }[] };
  MaximumRetryAttempts?: number;
  ParallelizationFactor?: number;
}

const commonProperties = ['FunctionName', 'EventSourceArn', 'BatchSize', 'Tags'];
const queueProperties = [...commonProperties, 'FunctionResponseTypes', 'ScalingConfig'];
const streamProperties = [
  ...commonProperties,
  'FilterCriteria',
  'StartingPosition',
  'BisectBatchOnFunctionError',
  'MaximumRetryAttempts',
  'ParallelizationFactor',
];

/**
 * Starts all that runs functions besides the gateway: queues, streams and schedules, as the templates describe them. `log` receives
 * failures. `maxConcurrency` limits the events of each queue that are handled in parallel. Returns a function that stops the sources, and
 * waits for events in progress.
 */
export function startEventSources(
  { assembly, queues, endpoints, dataDir }: Pick<Services, 'assembly' | 'queues' | 'endpoints' | 'dataDir'>,
  runners: Map<string, FunctionRunner>,
  log: (sentence: string) => void,
  maxConcurrency = Infinity,
): () => Promise<void> {
  const aliases = resolveAliases(assembly);
  const findRunner = (aliasArn: string): FunctionRunner => {
    const runner = runners.get(aliases.get(aliasArn) ?? '');
    if (!runner) throw new Error(`The templates have no function for ${aliasArn}`);
    return runner;
  };
  const streams = new DynamoDBStreamsClient({
    endpoint: endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials,
  });

  function startQueue(mapping: MappingProperties, runner: FunctionRunner): () => Promise<void> {
    expectOnly(queueProperties, mapping);
    const queue = queues.get(mapping.EventSourceArn);
    if (!queue) throw new Error(`The templates have no queue ${mapping.EventSourceArn}`);
    queue.deliver({
      retrySeconds: 1,
      batchSize: mapping.BatchSize ?? 10,
      concurrency: Math.min(mapping.ScalingConfig?.MaximumConcurrency ?? Infinity, maxConcurrency),
      reportsFailures: mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
      handle: (event) => runner.invoke(event),
      log: (sentence) => log(`${runner.spec.name}: ${sentence}`),
    });
    return () => queue.stop();
  }

  function startStream(mapping: MappingProperties, runner: FunctionRunner): () => Promise<void> {
    expectOnly(streamProperties, mapping);
    const [, tableName = ''] = /:table\/([^/]+)\/stream\//.exec(mapping.EventSourceArn) ?? [];
    const patterns = mapping.FilterCriteria?.Filters.map(({ Pattern }) => compileEventPattern(JSON.parse(Pattern)));
    const checkpointFile = join(dataDir, 'streams', `${runner.spec.name}.json`);
    const checkpoint = readCheckpoint(checkpointFile);
    return deliverRecords(new TableStream(streams, tableName, checkpoint), {
      checkpoint,
      checkpointFile,
      batchSize: mapping.BatchSize ?? 100,
      parallelism: mapping.ParallelizationFactor ?? 1,
      maxRetries: mapping.MaximumRetryAttempts ?? Infinity,
      matches: (record) => patterns?.some((matches) => matches(record)) ?? true,
      handle: (event) => runner.invoke(event),
      trim: (...position) => trim(runner.spec.name, tableName, ...position),
      log: (sentence) => log(`${runner.spec.name}: ${sentence}`),
    });
  }

  const streamReaders = assembly
    .listResources('AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => 'StartingPosition' in Properties).length;
  const positions = new Map<string, { lastRead: bigint; unhandled: string[] }>();

  /** Deletes the records of a stream that all its readers have handled. Returns false if that must be tried again. */
  function trim(reader: string, tableName: string, lastRead: string, unhandled: string[]): boolean {
    positions.set(reader, { lastRead: BigInt(lastRead), unhandled });
    const all = [...positions.values()];
    const [first] = all.toSorted((one, other) => (one.lastRead < other.lastRead ? -1 : 1));
    if (first === undefined || positions.size < streamReaders) return false;
    return trimStream(
      dataDir,
      tableName,
      String(first.lastRead),
      all.flatMap(({ unhandled }) => unhandled),
    );
  }

  function startMapping(mapping: MappingProperties): () => Promise<void> {
    const runner = findRunner(toFunctionArn(mapping.FunctionName));
    const [, , service] = mapping.EventSourceArn.split(':');
    if (service === 'sqs') return startQueue(mapping, runner);
    if (service === 'dynamodb') return startStream(mapping, runner);
    throw new Error(`The local host does not support the event source ${mapping.EventSourceArn}`);
  }

  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((stopSource) => stopSource()));
    streams.destroy();
  };
  try {
    for (const { stack, Properties } of assembly.listResources('AWS::Lambda::EventSourceMapping'))
      stops.push(startMapping(assembly.resolve(Properties, stack) as MappingProperties));
    stops.push(startSchedules(assembly, findRunner, log));
  } catch (error) {
    stop().catch(() => {});
    throw error;
  }
  return stop;
}
