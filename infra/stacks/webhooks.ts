import { Duration, NestedStack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { buildMissingFileStatement, buildRowStatements, buildSecretStatement } from './api/permissions.ts';
import { ServiceFunction } from './api/service-function.ts';
import { getLanesPerOwner } from './lanes.ts';
import { acceptPrefixWildcard } from './review.ts';
import type { Storage } from './storage.ts';

export interface WebhooksProps {
  /** Prefix of every function name. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** Folder of the function bundles. */
  bundles: string;
}

/**
 * Nested stack that delivers events to webhooks: FIFO queue → deliver → a queue of later attempts → deliver. What waits is
 * in the table, so a message that gets lost is sent again by sweep (events.ts). Also holds the functions of the webhook
 * routes (route-stacks.ts).
 */
export class WebhooksStack extends NestedStack {
  /** Queue of first attempts, with message groups per owner, so that no owner can occupy all functions. */
  readonly deliveries: Queue;
  /** Queue of everything that comes later: other attempts, and looks for deliveries that wait for their receiver. */
  readonly retries: Queue;
  /** Dead-letter queues. */
  readonly failedDeliveries: Queue;
  readonly failedRetries: Queue;
  /** Number of functions that the receivers of one owner can occupy. */
  readonly lanesPerOwner: number;

  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: WebhooksProps) {
    super(scope, id);
    const { table, key, bucket } = storage;
    const { maxConcurrency } = settings.webhooks;
    this.lanesPerOwner = getLanesPerOwner(maxConcurrency);
    acceptPrefixWildcard(this, bucket, 'transcripts/*');

    const createQueue = (id: string, props: QueueProps) => {
      const { fifo } = props;
      const queue = new Queue(this, `Failed${id}`, {
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
        ...(fifo && { fifo }),
      });
      const deadLetterQueue = { queue, maxReceiveCount: 5 };
      const visibilityTimeout = Duration.seconds(120); // longer than the function runs
      return [new Queue(this, id, { ...props, enforceSSL: true, visibilityTimeout, deadLetterQueue }), queue] as const;
    };
    [this.deliveries, this.failedDeliveries] = createQueue('Deliveries', {
      fifo: true,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    });
    [this.retries, this.failedRetries] = createQueue('Retries', {});

    const deliver = new ServiceFunction(this, {
      id: 'deliver',
      service: name,
      bundles,
      settings,
      timeout: Duration.seconds(90),
      environment: {
        TABLE_NAME: table.tableName,
        BUCKET_NAME: bucket.bucketName,
        KMS_KEY_ID: key.keyId,
        DELIVERY_QUEUE_URL: this.deliveries.queueUrl,
        DELIVERY_LANES: String(this.lanesPerOwner),
        RETRY_QUEUE_URL: this.retries.queueUrl,
        EVENT_DAYS: String(settings.eventDays),
        TRANSCRIPT_DAYS: String(settings.transcriptRetentionDays ?? ''),
        OUTBOUND_ALLOW: settings.outboundAllow.join(','),
      },
      statements: [
        ...buildRowStatements(
          {
            webhooks: ['GetItem', 'UpdateItem'],
            deliveries: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
            events: ['BatchGetItem', 'Query', 'PutItem'],
            sessions: ['BatchGetItem'],
            transcripts: ['BatchGetItem'],
          },
          table,
        ),
        new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${table.tableArn}/index/by-due`] }),
        buildSecretStatement('webhooks', ['Decrypt'], key.keyArn),
        new PolicyStatement({ actions: ['s3:GetObject'], resources: [bucket.arnForObjects('transcripts/*')] }),
        buildMissingFileStatement(bucket, 'transcripts'),
        new PolicyStatement({
          actions: ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'SendMessage'].map(
            (name) => `sqs:${name}`,
          ),
          resources: [this.deliveries.queueArn, this.retries.queueArn],
        }),
      ],
      // Lambda would stop a function that sends to its own queue after sixteen rounds.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    for (const [id, queue] of [
      ['DeliveriesSource', this.deliveries],
      ['RetriesSource', this.retries],
    ] as const)
      new EventSourceMapping(this, id, {
        target: deliver.live,
        eventSourceArn: queue.queueArn,
        batchSize: 10, // delivered concurrently, so that ten slow receivers take the time of one
        reportBatchItemFailures: true,
        maxConcurrency,
      });
  }
}
