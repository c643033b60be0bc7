import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { Endpoint, type EndpointProps } from './endpoint.ts';

export interface ArrivalsProps extends EndpointProps {
  bucket: Bucket;
  /** The folder in which objects are waited for. */
  folder: string;
  /** The function's time limit. */
  timeout: Duration;
  /** How long an object lies before the function hears of it; not at all unless set. */
  delay?: Duration;
  /** How often a message is received before it is kept with those that failed. */
  maxReceiveCount: number;
  /** Keeps what failed. */
  failed: Queue;
  /** Objects that are handled at once, at most. */
  maxConcurrency: number;
}

/** A function that hears of each object that arrives in a folder of the bucket: S3 → EventBridge → queue → function. */
export class Arrivals extends Construct {
  constructor(scope: Construct, id: string, props: ArrivalsProps) {
    super(scope, id);
    const { bucket, folder, delay, failed, maxReceiveCount, maxConcurrency, ...endpoint } = props;

    const queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      // The function's time, and half a minute for what comes before and after it.
      visibilityTimeout: endpoint.timeout.plus(Duration.seconds(30)),
      ...(delay && { deliveryDelay: delay }),
      deadLetterQueue: { queue: failed, maxReceiveCount },
    });
    new Rule(this, 'Arrived', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ prefix: `${folder}/` }] } },
      },
      targets: [new SqsQueue(queue, { deadLetterQueue: failed })],
    });
    const { function: target } = new Endpoint(this, {
      ...endpoint,
      statements: [
        ...endpoint.statements,
        new PolicyStatement({
          actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
          resources: [queue.queueArn],
        }),
      ],
    });
    new EventSourceMapping(this, 'Source', {
      target,
      eventSourceArn: queue.queueArn,
      batchSize: 1, // a document may take all of the function's time and memory
      reportBatchItemFailures: true,
      maxConcurrency,
    });
  }
}
