import { randomUUID } from 'node:crypto';
import type { CreatedObject } from '../emulators/s3/s3.ts';
import { type Assembly, expectOnly, type Resource } from '../template.ts';
import type { Buses, SentEvent } from './buses.ts';

interface BucketProperties {
  NotificationConfiguration?: { EventBridgeConfiguration?: { EventBridgeEnabled: boolean } };
}

/** Builds the event that S3 sends to EventBridge for a new object. Unlike in S3 notifications, the key is not URL-encoded. */
function buildObjectCreatedEvent({ bucket, key, size, etag, reason }: CreatedObject): SentEvent {
  const microseconds = Math.round((performance.timeOrigin + performance.now()) * 1000);
  return {
    source: 'aws.s3',
    detailType: 'Object Created',
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

/** Creates a function that sends the event of a new object to the default bus, if its bucket sends events. */
export function createObjectEventSender(assembly: Assembly, buses: Buses): (created: CreatedObject) => void {
  const buckets = assembly
    .listResources('AWS::S3::Bucket')
    .filter(sendsEvents)
    .map(({ id, stack }) => assembly.resolve({ Ref: id }, stack));
  return (created) => {
    if (buckets.includes(created.bucket)) buses.send('default', buildObjectCreatedEvent(created));
  };
}
