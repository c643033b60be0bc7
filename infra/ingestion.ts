import { Duration, NestedStack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { Endpoint, type EndpointProps } from './endpoint.ts';
import { acceptPrefix } from './review.ts';
import { rowStatements } from './rights.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

export interface IngestionProps {
  /** What the names of all functions begin with. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** Where the functions' bundles are. */
  bundles: string;
}

interface ConsumerProps extends Pick<EndpointProps, 'memoryMb' | 'timeout' | 'statements'> {
  queue: Queue;
  /** Id of the event source mapping. */
  source: string;
  environment?: Record<string, string>;
}

/**
 * Ends deletions that were broken off, and reads the documents that arrive in the bucket: S3 → EventBridge → queue → intake →
 * FIFO queue → ingest. What fails is tried again, then kept for two weeks; whoever asks for the record of a document that was not
 * read hears that it failed (shared/domain/knowledge-base.ts). Documents have a queue of their own, in which each owner has
 * message groups: nobody's documents hold up another's, nor deletions.
 */
export class IngestionStack extends NestedStack {
  /** Events of S3. */
  readonly arrivals: Queue;
  /** Documents to be read. */
  readonly documents: Queue;
  /** Dead letters of the two. */
  readonly failedArrivals: Queue;
  readonly failedDocuments: Queue;

  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: IngestionProps) {
    super(scope, id);
    const { bucket, table } = storage;
    const { maxConcurrency } = settings.knowledgeBases;
    // Two thirds of the readers stay for others.
    const readersOfOwner = Math.max(1, Math.floor(maxConcurrency / 3));
    for (const folder of ['uploads', 'passages', 'erasures']) acceptPrefix(this, bucket, `${folder}/*`);

    const deadLetters = (id: string, props: QueueProps = {}) =>
      new Queue(this, id, { ...props, enforceSSL: true, retentionPeriod: Duration.days(14) });
    // Three attempts (functions/ingest.ts), one to tell that they failed, and some that Lambda may turn away.
    const maxReceiveCount = 6;
    const visibilityTimeout = Duration.seconds(330);
    this.failedArrivals = deadLetters('Failed');
    this.arrivals = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout,
      deadLetterQueue: { queue: this.failedArrivals, maxReceiveCount },
    });
    this.failedDocuments = deadLetters('FailedDocuments', { fifo: true });
    this.documents = new Queue(this, 'Documents', {
      enforceSSL: true,
      visibilityTimeout,
      deadLetterQueue: { queue: this.failedDocuments, maxReceiveCount },
      fifo: true,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    });

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

    const statement = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });
    /** A function that handles the messages of a queue, one at a time. */
    const consumer = (id: string, { queue, source, environment, statements, ...props }: ConsumerProps) => {
      const receive = statement(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queue.queueArn);
      const { live } = new Endpoint(this, {
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
        batchSize: 1, // a document may take all of the function's time and memory
        reportBatchItemFailures: true,
        maxConcurrency,
      });
    };
    consumer('intake', {
      queue: this.arrivals,
      source: 'Source',
      timeout: Duration.minutes(1),
      environment: { READING_QUEUE_URL: this.documents.queueUrl, READING_LANES: String(readersOfOwner) },
      statements: [
        ...rowStatements({ knowledge: ['GetItem', 'UpdateItem', 'DeleteItem'], assistants: ['UpdateItem'] }, table),
        statement(
          ['s3:DeleteObject'],
          ...['uploads/*', 'passages/*', 'erasures/*'].map((files) => bucket.arnForObjects(files)),
        ),
        statement(['sqs:SendMessage'], this.documents.queueArn),
      ],
    });
    consumer('ingest', {
      queue: this.documents,
      source: 'DocumentsSource',
      // A whole core. What needs more than a parser may have (shared/parser/parse.ts) fails at once.
      memoryMb: 1_769,
      timeout: Duration.minutes(5),
      statements: [
        ...rowStatements({ knowledge: ['GetItem', 'UpdateItem'] }, table),
        statement(['s3:GetObject', 's3:DeleteObject'], bucket.arnForObjects('uploads/*')),
        statement(['s3:PutObject', 's3:DeleteObject'], bucket.arnForObjects('passages/*')),
        // Without it S3 says 'forbidden' of an object that is not there.
        statement(['s3:ListBucket'], bucket.bucketArn),
      ],
    });
  }
}
