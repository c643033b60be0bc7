import { join } from 'node:path';
import { resolveAliases, toFunctionArn } from '../lambda/aliases.ts';
import type { FunctionRunner } from '../lambda/function-runner.ts';
import type { Services } from '../services.ts';
import { type Assembly, expectOnly } from '../template.ts';
import { Queue } from './queue.ts';

/** Properties of a queue that the local host applies. */
interface QueueProperties {
  VisibilityTimeout?: number;
  RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
}

interface MappingProperties {
  /** Function and alias, for example `name:live`. */
  FunctionName: string;
  EventSourceArn: string;
  BatchSize?: number;
  ScalingConfig?: { MaximumConcurrency: number };
  FunctionResponseTypes?: string[];
}

/** Supported properties of a queue. `Queue` implements those of FIFO queues for messages with a group. */
const queueProperties = [
  'VisibilityTimeout',
  'RedrivePolicy',
  'MessageRetentionPeriod',
  'FifoQueue',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'Tags',
];

const mappingProperties = [
  'FunctionName',
  'EventSourceArn',
  'BatchSize',
  'ScalingConfig',
  'FunctionResponseTypes',
  'Tags',
];

/** Opens the queues of the templates on the data folder, by ARN. Throws if a queue has unsupported properties. */
export function openQueues(assembly: Assembly, dataDir: string): Map<string, Queue> {
  const resources = new Map(
    assembly
      .listResources('AWS::SQS::Queue')
      .map((resource) => [String(assembly.resolve({ 'Fn::GetAtt': [resource.id, 'Arn'] }, resource.stack)), resource]),
  );
  const queues = new Map<string, Queue>();
  const openQueue = (arn: string): Queue => {
    const opened = queues.get(arn);
    if (opened) return opened;
    const resource = resources.get(arn);
    if (!resource) throw new Error(`The templates have no queue ${arn}`);
    expectOnly(queueProperties, resource.Properties);
    const properties = assembly.resolve(resource.Properties, resource.stack) as QueueProperties;
    const { VisibilityTimeout: visibilityTimeout = 30, RedrivePolicy } = properties;
    const dir = join(dataDir, 'queues', arn.slice(arn.lastIndexOf(':') + 1));
    const redrive = RedrivePolicy && {
      queue: openQueue(RedrivePolicy.deadLetterTargetArn),
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    };
    const queue = new Queue({ arn, dir, visibilityTimeout, ...(redrive && { redrive }) });
    queues.set(arn, queue);
    return queue;
  };
  for (const arn of resources.keys()) openQueue(arn);
  return queues;
}

/**
 * Delivers the messages of queues to functions according to the templates' event source mappings. `log` receives failures.
 * `maxConcurrency` limits the events of each queue that are handled in parallel.
 */
export function deliverMessages(
  { assembly, queues }: Pick<Services, 'assembly' | 'queues'>,
  runners: Map<string, FunctionRunner>,
  log: (sentence: string) => void,
  maxConcurrency = Infinity,
): void {
  const released = resolveAliases(assembly);
  for (const { stack, Properties } of assembly.listResources('AWS::Lambda::EventSourceMapping')) {
    expectOnly(mappingProperties, Properties);
    const mapping = assembly.resolve(Properties, stack) as MappingProperties;
    const { FunctionName, EventSourceArn, BatchSize = 10, ScalingConfig, FunctionResponseTypes = [] } = mapping;
    const queue = queues.get(EventSourceArn);
    const functionName = released.get(toFunctionArn(FunctionName)) ?? '';
    const runner = runners.get(functionName);
    if (!queue || !runner)
      throw new Error(`The local host does not support the event source ${EventSourceArn} of ${FunctionName}`);
    queue.deliver({
      retrySeconds: 1,
      batchSize: BatchSize,
      concurrency: Math.min(ScalingConfig?.MaximumConcurrency ?? Infinity, maxConcurrency),
      reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
      handle: (event) => runner.invoke(event),
      log: (sentence) => log(`${functionName}: ${sentence}`),
    });
  }
}
