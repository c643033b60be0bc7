import { Duration, NestedStack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { fullCoreMb } from '../../shared/route.ts';
import type { Settings } from '../settings.ts';
import { buildMissingFileStatement, buildRowStatements } from './api/permissions.ts';
import { ServiceFunction, type ServiceFunctionProps } from './api/service-function.ts';
import { getLanesPerOwner } from './lanes.ts';
import { acceptPrefixWildcard } from './review.ts';
import type { Storage } from './storage.ts';

export interface IngestionProps {
  /** Prefix of every function name. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** Folder of the function bundles. */
  bundles: string;
}

interface ConsumerProps extends Pick<ServiceFunctionProps, 'memoryMb' | 'timeout' | 'statements'> {
  queue: Queue;
  /** Maximum number of messages per invocation. */
  batchSize: number;
  /** Id of the event source mapping. */
  source: string;
  environment?: Record<string, string>;
}

/**
 * Nested stack that ingests the documents uploaded to the bucket and completes interrupted deletions: S3 → EventBridge
 * → queue → intake → FIFO queue → ingest, or another FIFO queue → erase. Failures are retried, then kept in a dead-letter queue for two
 * weeks; the record of the document shows that it failed (shared/domain/knowledge-base.ts). The FIFO queues have message groups per owner,
 * so that one owner's documents and deletions do not delay another's.
 */
export class IngestionStack extends NestedStack {
  /** Queue of S3 events. */
  readonly arrivals: Queue;
  /** Queue of documents to ingest. */
  readonly documents: Queue;
  /** Dead-letter queues. */
  readonly failedArrivals: Queue;
  /** Also of deletions. */
  readonly failedDocuments: Queue;

  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: IngestionProps) {
    super(scope, id);
    const { bucket, table } = storage;
    const { maxConcurrency } = settings.knowledgeBases;
    for (const folder of ['uploads', 'passages', 'erasures']) acceptPrefixWildcard(this, bucket, `${folder}/*`);

    const createDeadLetterQueue = (id: string, props: QueueProps = {}) =>
      new Queue(this, id, { ...props, enforceSSL: true, retentionPeriod: Duration.days(14) });
    // Three attempts (functions/ingest.ts), one message to record the failure, and some that Lambda may throttle.
    const maxReceiveCount = 6;
    const visibilityTimeout = Duration.seconds(330);
    this.failedArrivals = createDeadLetterQueue('Failed');
    this.arrivals = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout,
      deadLetterQueue: { queue: this.failedArrivals, maxReceiveCount },
    });
    this.failedDocuments = createDeadLetterQueue('FailedDocuments', { fifo: true });
    /** Creates a queue that delivers the messages of a group in order. */
    const createFifoQueue = (id: string) =>
      new Queue(this, id, {
        enforceSSL: true,
        visibilityTimeout,
        retentionPeriod: Duration.days(14), // the longest: a deletion may wait for those before it
        deadLetterQueue: { queue: this.failedDocuments, maxReceiveCount },
        fifo: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      });
    this.documents = createFifoQueue('Documents');
    const erasures = createFifoQueue('Erasures');

    new Rule(this, 'Arrived', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [bucket.bucketName] },
          object: { key: [{ prefix: 'uploads/' }, { prefix: 'erasures/' }] },
        },
      },
      targets: [new SqsQueue(this.arrivals, { deadLetterQueue: this.failedArrivals })],
    });

    const buildStatement = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });
    const buildDeletion = (...folders: string[]) =>
      buildStatement(['s3:DeleteObject'], ...folders.map((folder) => bucket.arnForObjects(`${folder}/*`)));
    /** Creates a function that handles the messages of a queue. */
    const addConsumer = (
      id: string,
      { queue, batchSize, source, environment, statements, ...props }: ConsumerProps,
    ) => {
      const receive = buildStatement(
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        queue.queueArn,
      );
      const { live } = new ServiceFunction(this, {
        ...props,
        id,
        service: name,
        bundles,
        environment: { ...environment, TABLE_NAME: table.tableName, BUCKET_NAME: bucket.bucketName },
        statements: [...statements, receive],
        settings,
      });
      new EventSourceMapping(this, source, {
        target: live,
        eventSourceArn: queue.queueArn,
        batchSize,
        reportBatchItemFailures: true,
        maxConcurrency,
      });
    };
    addConsumer('intake', {
      queue: this.arrivals,
      batchSize: 10, // the maximum of one SQS request
      source: 'Source',
      timeout: Duration.minutes(1),
      environment: {
        READING_QUEUE_URL: this.documents.queueUrl,
        READING_LANES: String(getLanesPerOwner(maxConcurrency)),
        ERASURE_QUEUE_URL: erasures.queueUrl,
      },
      statements: [
        ...buildRowStatements({ knowledge: ['GetItem'] }, table),
        buildDeletion('uploads', 'erasures'),
        buildStatement(['sqs:SendMessage'], this.documents.queueArn, erasures.queueArn),
      ],
    });
    addConsumer('erase', {
      queue: erasures,
      batchSize: 1, // a deletion may need all of the function's time
      source: 'ErasuresSource',
      timeout: Duration.minutes(5),
      statements: [
        ...buildRowStatements(
          { knowledge: ['GetItem', 'UpdateItem', 'DeleteItem'], assistants: ['UpdateItem'] },
          table,
        ),
        buildDeletion('uploads', 'passages', 'erasures'),
      ],
    });
    addConsumer('ingest', {
      queue: this.documents,
      batchSize: 1, // a document may need all of the function's time and memory
      source: 'DocumentsSource',
      // Memory for a full core. A document that exceeds the parser's limits (shared/parser/parse.ts) fails without a
      // retry.
      memoryMb: fullCoreMb,
      environment: {
        EVENT_DAYS: String(settings.eventDays),
        OCR_LANGUAGES: settings.knowledgeBases.ocrLanguages.join(','),
      },
      timeout: Duration.minutes(5),
      statements: [
        ...buildRowStatements({ knowledge: ['GetItem', 'UpdateItem'], events: ['PutItem'] }, table),
        buildStatement(['s3:GetObject', 's3:DeleteObject'], bucket.arnForObjects('uploads/*')),
        buildStatement(['s3:PutObject', 's3:DeleteObject'], bucket.arnForObjects('passages/*')),
        buildMissingFileStatement(bucket, 'uploads'),
      ],
    });
  }
}
