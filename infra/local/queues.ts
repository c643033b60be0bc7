import { join } from 'node:path';
import type { FunctionRunner } from './function-runner.ts';
import { Queue } from './queue.ts';
import { functionArn, releasedFunctions } from './released.ts';
import type { Services } from './services.ts';
import { type Assembly, expectOnly } from './template.ts';

/** What is read of a queue, its references resolved; likewise of an event source mapping. */
interface QueueProperties {
  VisibilityTimeout?: number;
  RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
}

interface MappingProperties {
  /** With its alias, as `name:live`. */
  FunctionName: string;
  EventSourceArn: string;
  BatchSize?: number;
  ScalingConfig?: { MaximumConcurrency: number };
  FunctionResponseTypes?: string[];
}

/** Those of a FIFO queue are what `Queue` does with messages that have a group. */
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

/** The queues of the templates by ARN, with the messages that the data folder has of them. Throws where one is not known. */
export function queuesOf(assembly: Assembly, dataDir: string): Map<string, Queue> {
  const resources = new Map(
    assembly
      .resources('AWS::SQS::Queue')
      .map((resource) => [String(assembly.value({ 'Fn::GetAtt': [resource.id, 'Arn'] }, resource.stack)), resource]),
  );
  const queues = new Map<string, Queue>();
  const queueOf = (arn: string): Queue => {
    const known = queues.get(arn);
    if (known) return known;
    const resource = resources.get(arn);
    if (!resource) throw new Error(`The local host does not know the queue ${arn}`);
    expectOnly(queueProperties, resource.Properties);
    const properties = assembly.value(resource.Properties, resource.stack) as QueueProperties;
    const { VisibilityTimeout: visibilityTimeout = 30, RedrivePolicy } = properties;
    const dir = join(dataDir, 'queues', arn.slice(arn.lastIndexOf(':') + 1));
    const redrive = RedrivePolicy && {
      queue: queueOf(RedrivePolicy.deadLetterTargetArn),
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    };
    const queue = new Queue({ arn, dir, visibilityTimeout, ...(redrive && { redrive }) });
    queues.set(arn, queue);
    return queue;
  };
  for (const arn of resources.keys()) queueOf(arn);
  return queues;
}

/**
 * Has functions handle the messages of queues, as the templates' event source mappings say. `log` gets what fails. At most `most`
 * events of a queue are handled at once.
 */
export function deliverMessages(
  { assembly, queues }: Pick<Services, 'assembly' | 'queues'>,
  runners: Map<string, FunctionRunner>,
  log: (sentence: string) => void,
  most = Infinity,
): void {
  const released = releasedFunctions(assembly);
  for (const { stack, Properties } of assembly.resources('AWS::Lambda::EventSourceMapping')) {
    expectOnly(mappingProperties, Properties);
    const mapping = assembly.value(Properties, stack) as MappingProperties;
    const { FunctionName, EventSourceArn, BatchSize = 10, ScalingConfig, FunctionResponseTypes = [] } = mapping;
    const queue = queues.get(EventSourceArn);
    const functionName = released.get(functionArn(FunctionName)) ?? '';
    const runner = runners.get(functionName);
    if (!queue || !runner)
      throw new Error(`The local host does not know the event source ${EventSourceArn} of ${FunctionName}`);
    queue.deliver({
      retrySeconds: 1,
      batchSize: BatchSize,
      concurrency: Math.min(ScalingConfig?.MaximumConcurrency ?? Infinity, most),
      reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
      handle: (event) => runner.invoke(event),
      log: (sentence) => log(`${functionName}: ${sentence}`),
    });
  }
}
