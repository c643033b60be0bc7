import { randomUUID } from 'node:crypto';
import type { CreatedObject } from './emulators/s3.ts';
import type { Queue } from './queue.ts';
import { type Assembly, expectOnly, type Resource } from './template.ts';

type Matcher = (value: unknown) => boolean;

interface RuleProperties {
  EventPattern: object;
  State?: string;
  Targets: { Id: string; Arn: string }[];
}

interface BucketProperties {
  NotificationConfiguration?: { EventBridgeConfiguration?: { EventBridgeEnabled: boolean } };
}

/** Whether a value is one that an item of a pattern's list allows: it itself, or text with a prefix. */
function allowed(item: unknown): Matcher {
  if (typeof item !== 'object' || item === null) return (value) => value === item;
  const [[operator, prefix] = ['nothing', ''], ...others] = Object.entries(item);
  if (operator === 'prefix' && typeof prefix === 'string' && others.length === 0)
    return (value) => typeof value === 'string' && value.startsWith(prefix);
  throw new Error(`The local host does not know ${JSON.stringify(item)} in the pattern of a rule`);
}

/**
 * What an event pattern of EventBridge matches: nested objects, lists of values, and prefixes. Throws where it has anything
 * else, as a rule that is taken for another would deliver too much or too little.
 */
export function eventPattern(pattern: unknown): Matcher {
  if (Array.isArray(pattern)) {
    const items = pattern.map(allowed);
    // Of a list in the event, one value is enough.
    return (value) => [value].flat().some((one) => items.some((matches) => matches(one)));
  }
  if (typeof pattern !== 'object' || pattern === null)
    throw new Error(`The local host does not know ${JSON.stringify(pattern)} in the pattern of a rule`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, eventPattern(inner)] as const);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    fields.every(([name, matches]) => matches((value as Record<string, unknown>)[name]));
}

/** The event by which S3 tells EventBridge of a new object. Unlike in S3's own notifications, the key is as it is. */
function objectCreated({ bucket, key, size, etag, reason }: CreatedObject): object {
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

/** Whether a bucket tells EventBridge of its objects. Throws where it would tell others. */
function tells({ Properties }: Resource): boolean {
  const { NotificationConfiguration = {} } = Properties as BucketProperties;
  expectOnly(['EventBridgeConfiguration'], NotificationConfiguration);
  return NotificationConfiguration.EventBridgeConfiguration?.EventBridgeEnabled ?? false;
}

/**
 * EventBridge, as far as the templates use it: sends the event of a new object to the queues of all rules that match.
 * They have it when this returns. Throws at once where a rule is not one that is known here.
 */
export function objectEvents(assembly: Assembly, queues: Map<string, Queue>): (created: CreatedObject) => void {
  const buckets = assembly
    .resources('AWS::S3::Bucket')
    .filter(tells)
    .map(({ id, stack }) => assembly.value({ Ref: id }, stack));

  const rules = assembly.resources('AWS::Events::Rule').map(({ stack, Properties }) => {
    expectOnly(['EventPattern', 'State', 'Targets', 'Tags'], Properties);
    const { EventPattern, State, Targets } = assembly.value(Properties, stack) as RuleProperties;
    const targets = Targets.map((target) => {
      expectOnly(['Id', 'Arn', 'DeadLetterConfig'], target); // a queue on this machine takes every message
      const queue = queues.get(target.Arn);
      if (!queue) throw new Error(`The local host does not know the target ${target.Arn} of a rule`);
      return queue;
    });
    return { matches: eventPattern(EventPattern), targets: State === 'DISABLED' ? [] : targets };
  });

  return (created) => {
    if (!buckets.includes(created.bucket)) return;
    const event = objectCreated(created);
    for (const { matches, targets } of rules) {
      if (matches(event)) for (const queue of targets) queue.send(JSON.stringify(event));
    }
  };
}
