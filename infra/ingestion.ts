import { Duration, NestedStack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { Endpoint } from './endpoint.ts';
import { acceptPrefix } from './review.ts';
import { rowsStatement } from './rights.ts';
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

/**
 * Reads the documents that arrive in the bucket, and ends deletions that were broken off: S3 → EventBridge → queue → function.
 * What fails is tried again, then kept for two weeks; whoever asks for the record of a document that was not read hears that it
 * failed (shared/domain/knowledge-base.ts). One queue for both: one that a function polls is $3 a year, even when it is empty.
 */
export class IngestionStack extends NestedStack {
  readonly queue: Queue;
  /** What failed for good. */
  readonly failed: Queue;

  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: IngestionProps) {
    super(scope, id);
    const { bucket, table } = storage;
    for (const folder of ['uploads', 'passages', 'erasures']) acceptPrefix(this, bucket, `${folder}/*`);

    this.failed = new Queue(this, 'Failed', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(330),
      // Three attempts (functions/ingest.ts), one to tell that they failed, and some that Lambda may turn away.
      deadLetterQueue: { queue: this.failed, maxReceiveCount: 6 },
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
      targets: [new SqsQueue(this.queue, { deadLetterQueue: this.failed })],
    });

    const statement = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });
    const { live } = new Endpoint(this, {
      id: 'ingest',
      service: name,
      bundles,
      // A whole core. Of honest documents none came near; what is made to need more is told so after three attempts.
      memoryMb: 1_769,
      timeout: Duration.minutes(5),
      environment: {
        TABLE_NAME: table.tableName,
        BUCKET_NAME: bucket.bucketName,
      },
      statements: [
        rowsStatement(table, ['GetItem', 'UpdateItem', 'DeleteItem'], ['USER#*']),
        statement(['s3:GetObject', 's3:DeleteObject'], bucket.arnForObjects('uploads/*')),
        statement(['s3:PutObject', 's3:DeleteObject'], bucket.arnForObjects('passages/*')),
        statement(['s3:DeleteObject'], bucket.arnForObjects('erasures/*')),
        // Without it S3 says 'forbidden' of an object that is not there.
        statement(['s3:ListBucket'], bucket.bucketArn),
        statement(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], this.queue.queueArn),
      ],
      settings,
    });
    new EventSourceMapping(this, 'Source', {
      target: live,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1, // a document may take all of the function's time and memory
      reportBatchItemFailures: true,
      maxConcurrency: settings.knowledgeBases.maxConcurrency,
    });
  }
}
