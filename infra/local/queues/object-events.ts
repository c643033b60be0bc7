import { randomUUID } from 'node:crypto';
import type { CreatedObject } from '../emulators/s3/s3.ts';
import { type Assembly, expectOnly, type Resource } from '../template.ts';
import type { Queue } from './queue.ts';

type Matcher = (value: unknown) => boolean;

interface RuleProperties {
  EventPattern: object;
  State?: string;
  Targets: { Id: string; Arn: string }[];
}

interface BucketProperties {
  NotificationConfiguration?: { EventBridgeConfiguration?: { EventBridgeEnabled: boolean } };
}

/** Compiles one item of a pattern's list: an exact value, or a prefix of a string. */
function compileValue(item: unknown): Matcher {
  if (typeof item !== 'object' || item === null) return (value) => value === item;
  const [[operator, prefix] = ['nothing', ''], ...others] = Object.entries(item);
  if (operator === 'prefix' && typeof prefix === 'string' && others.length === 0)
    return (value) => typeof value === 'string' && value.startsWith(prefix);
  throw new Error(`The local host does not support ${JSON.stringify(item)} in an event pattern`);
}

/**
 * Compiles an EventBridge event pattern of nested objects, lists of values and prefixes. Throws on anything else, so that a rule never
 * matches more or less than on AWS.
 */
export function compileEventPattern(pattern: unknown): Matcher {
  if (Array.isArray(pattern)) {
    const items = pattern.map(compileValue);
    // A list in the event matches if any of its values does.
    return (value) => [value].flat().some((one) => items.some((matches) => matches(one)));
  }
  if (typeof pattern !== 'object' || pattern === null)
    throw new Error(`The local host does not support ${JSON.stringify(pattern)} in an event pattern`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, compileEventPattern(inner)] as const);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    fields.every(([name, matches]) => matches((value as Record<string, unknown>)[name]));
}

/** Builds the event that S3 sends to EventBridge for a new object. Unlike in S3 notifications, the key is not URL-encoded. */
function buildObjectCreatedEvent({ bucket, key, size, etag, reason }: CreatedObject): object {
  const microseconds = Math.round((performance.timeOrigin + performance.now()) * 1000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: '000000000000',
    time: new Date().toISOString().replace(/\.\d+/, ''),
    region: 'us-east-1',
    resources: [`arn:aws:s3:::${bucket}`],
    detail: {
      version: '0',
      bucket: { name: bucket },
      object: { key, size, etag, sequencer: microseconds.toString(16).toUpperCase().padStart(18, '0') },
      'request-id': randomUUID(),
      requester: '000000000000',
      'source-ip-address': '127.0.0.1',
      reason,
    },
  };
}

/** True if a bucket sends its events to EventBridge. Throws if it notifies anything else. */
function sendsEvents({ Properties }: Resource): boolean {
  const { NotificationConfiguration = {} } = Properties as BucketProperties;
  expectOnly(['EventBridgeConfiguration'], NotificationConfiguration);
  return NotificationConfiguration.EventBridgeConfiguration?.EventBridgeEnabled ?? false;
}

/**
 * Creates a function that sends the event of a new object to the queues of all matching rules, as EventBridge does. The queues have
 * stored the event when the function returns. Throws if a rule is of a kind that the local host does not support.
 */
export function createEventSender(assembly: Assembly, queues: Map<string, Queue>): (created: CreatedObject) => void {
  const buckets = assembly
    .listResources('AWS::S3::Bucket')
    .filter(sendsEvents)
    .map(({ id, stack }) => assembly.resolve({ Ref: id }, stack));

  const rules = assembly.listResources('AWS::Events::Rule').map(({ stack, Properties }) => {
    expectOnly(['EventPattern', 'State', 'Targets', 'Tags'], Properties);
    const { EventPattern, State, Targets } = assembly.resolve(Properties, stack) as RuleProperties;
    const targets = Targets.map((target) => {
      expectOnly(['Id', 'Arn', 'DeadLetterConfig'], target); // local queues accept every message, so none reaches the dead-letter queue
      const queue = queues.get(target.Arn);
      if (!queue) throw new Error(`The local host does not support the target ${target.Arn} of a rule`);
      return queue;
    });
    return { matches: compileEventPattern(EventPattern), targets: State === 'DISABLED' ? [] : targets };
  });

  return (created) => {
    if (!buckets.includes(created.bucket)) return;
    const event = buildObjectCreatedEvent(created);
    for (const { matches, targets } of rules) {
      if (matches(event)) for (const queue of targets) queue.send(JSON.stringify(event));
    }
  };
}
