import { Duration, NestedStack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { Arrivals } from './arrivals.ts';
import type { Settings } from './config.ts';
import { acceptPrefix } from './review.ts';
import { rowsStatement } from './rights.ts';
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
 * Reads the documents that arrive in the bucket, and ends deletions that were broken off. What fails is tried again, then
 * kept for two weeks; whoever asks for a record that was not read hears that it failed (shared/domain/knowledge-base.ts).
 */
export class IngestionStack extends NestedStack {
  constructor(scope: Construct, id: string, { name, settings, storage, bundles }: IngestionProps) {
    super(scope, id);
    const { bucket, table } = storage;
    for (const folder of ['uploads', 'passages', 'erasures']) acceptPrefix(this, bucket, `${folder}/*`);

    const objects = (actions: string[], folder: string) =>
      new PolicyStatement({
        actions: actions.map((action) => `s3:${action}`),
        resources: [bucket.arnForObjects(`${folder}/*`)],
      });
    const common = {
      bucket,
      failed: new Queue(this, 'Failed', { enforceSSL: true, retentionPeriod: Duration.days(14) }),
      bundles,
      environment: { TABLE_NAME: table.tableName, BUCKET_NAME: bucket.bucketName },
      settings,
    };

    new Arrivals(this, 'Ingest', {
      ...common,
      id: 'ingest',
      functionName: `${name}-ingest`,
      folder: 'uploads',
      // A whole core. Of honest documents none came near; what is made to need more is told so after three attempts.
      memoryMb: 1_769,
      timeout: Duration.minutes(5),
      // Three attempts (functions/ingest.ts), one to tell that they failed, and some that Lambda may turn away.
      maxReceiveCount: 6,
      maxConcurrency: 10,
      statements: [
        rowsStatement(table, ['GetItem', 'UpdateItem'], ['USER#*']),
        objects(['GetObject', 'DeleteObject'], 'uploads'),
        objects(['PutObject', 'DeleteObject'], 'passages'),
        // Without it S3 says 'forbidden' of an object that is not there.
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
      ],
    });

    new Arrivals(this, 'Sweep', {
      ...common,
      id: 'sweep',
      functionName: `${name}-sweep`,
      folder: 'erasures',
      // Whoever began the deletion is done by then, or dead.
      delay: Duration.minutes(1),
      timeout: Duration.minutes(1),
      maxReceiveCount: 6,
      maxConcurrency: 2,
      statements: [
        rowsStatement(table, ['GetItem', 'UpdateItem', 'DeleteItem'], ['USER#*']),
        ...['uploads', 'passages', 'erasures'].map((folder) => objects(['DeleteObject'], folder)),
      ],
    });
  }
}
