import { join } from 'node:path';
import { type Assembly, expectOnly } from '../template.ts';
import { Queue } from './queue.ts';

/** Properties of a queue that the local host applies. */
interface QueueProperties {
  VisibilityTimeout?: number;
  FifoQueue?: boolean;
  RedrivePolicy?: { deadLetterTargetArn: string; maxReceiveCount: number };
}

/** Supported properties of a queue. */
const queueProperties = [
  'VisibilityTimeout',
  'RedrivePolicy',
  'MessageRetentionPeriod',
  'FifoQueue',
  'DeduplicationScope',
  'FifoThroughputLimit',
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
    const { VisibilityTimeout: visibilityTimeout = 30, FifoQueue: fifo = false, RedrivePolicy } = properties;
    const dir = join(dataDir, 'queues', arn.slice(arn.lastIndexOf(':') + 1));
    const redrive = RedrivePolicy && {
      queue: openQueue(RedrivePolicy.deadLetterTargetArn),
      maxReceiveCount: RedrivePolicy.maxReceiveCount,
    };
    const queue = new Queue({ arn, dir, visibilityTimeout, fifo, ...(redrive && { redrive }) });
    queues.set(arn, queue);
    return queue;
  };
  for (const arn of resources.keys()) openQueue(arn);
  return queues;
}
