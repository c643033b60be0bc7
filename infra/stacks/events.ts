import { Duration, NestedStack, Validations } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { fullCoreMb } from '../../shared/route.ts';
import type { Settings } from '../settings.ts';
import { buildRowStatements } from './api/permissions.ts';
import { ServiceFunction } from './api/service-function.ts';
import type { Storage } from './storage.ts';
import { addStreamSource, buildStreamStatement } from './table-stream.ts';
import type { WebhooksStack } from './webhooks.ts';

export interface EventsProps {
  /** Prefix of every function name, and name of the event bus. */
  name: string;
  /** Source of the events on the bus. */
  source: string;
  settings: Settings;
  storage: Storage;
  /** Folder of the function bundles. */
  bundles: string;
  /** Queues of deliveries to webhooks. */
  webhooks: Pick<WebhooksStack, 'deliveries' | 'retries' | 'lanesPerOwner'>;
}

/**
 * Nested stack that acts on the table by itself: table stream → relay → event bus and the queue of deliveries, with a queue → relay for what
 * failed, and a schedule → sweep, for rows that wait for a time. Also holds the functions of the event routes (route-stacks.ts).
 */
export class EventsStack extends NestedStack {
  readonly busName: string;
  /** Queue of events that could not be sent. */
  readonly postponed: Queue;

  constructor(scope: Construct, id: string, { name, source, settings, storage, bundles, webhooks }: EventsProps) {
    super(scope, id);
    const { table } = storage;
    const common = { service: name, bundles, settings };
    const buildSendStatement = ({ queueArn }: Queue) =>
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });

    const bus = new EventBus(this, 'Bus', { eventBusName: name });
    this.busName = bus.eventBusName;
    this.postponed = new Queue(this, 'PostponedEvents', {
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(1), // between two attempts, and longer than the function runs
      retentionPeriod: Duration.days(14),
      deadLetterQueue: {
        queue: new Queue(this, 'FailedEvents', { enforceSSL: true, retentionPeriod: Duration.days(14), fifo: true }),
        maxReceiveCount: 1_000, // SQS's maximum: 16 hours
      },
      fifo: true, // so that one owner's events do not delay another's
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    });
    const relay = new ServiceFunction(this, {
      ...common,
      id: 'relay',
      timeout: Duration.seconds(30),
      environment: {
        TABLE_NAME: table.tableName,
        EVENT_DAYS: String(settings.eventDays),
        EVENT_BUS_NAME: bus.eventBusName,
        EVENT_SOURCE: source,
        DELIVERY_QUEUE_URL: webhooks.deliveries.queueUrl,
        DELIVERY_LANES: String(webhooks.lanesPerOwner),
        POSTPONED_EVENTS_QUEUE_URL: this.postponed.queueUrl,
      },
      statements: [
        ...buildRowStatements({ events: ['BatchGetItem'], webhooks: ['Query'], deliveries: ['PutItem'] }, table),
        buildSendStatement(webhooks.deliveries),
        new PolicyStatement({
          actions: ['SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
            (name) => `sqs:${name}`,
          ),
          resources: [this.postponed.queueArn],
        }),
        new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
        buildStreamStatement(storage),
      ],
    });
    addStreamSource(this, 'NewEvents', storage, relay.live, ['EVENT#'], {
      batchSize: 100,
      // Records are retried until they leave the stream, after 24 hours, if the function cannot even postpone them: dropping one would lose it.
      bisectBatchOnError: true,
    });
    new EventSourceMapping(this, 'PostponedSource', {
      target: relay.live,
      eventSourceArn: this.postponed.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: settings.webhooks.maxConcurrency,
    });

    const sweep = new ServiceFunction(this, {
      ...common,
      id: 'sweep',
      memoryMb: fullCoreMb, // it mostly finds nothing to do, and else has much to do in a minute
      timeout: Duration.minutes(1),
      environment: {
        TABLE_NAME: table.tableName,
        EVENT_DAYS: String(settings.eventDays),
        RETRY_QUEUE_URL: webhooks.retries.queueUrl,
      },
      statements: [
        ...buildRowStatements(
          {
            knowledge: ['GetItem', 'UpdateItem'],
            versions: ['Query', 'DeleteItem'],
            events: ['PutItem'],
            webhooks: ['UpdateItem'],
            deliveries: ['UpdateItem'],
            jobs: ['PutItem', 'UpdateItem'],
          },
          table,
        ),
        buildSendStatement(webhooks.retries),
        new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${table.tableArn}/index/by-due`] }),
      ],
    });
    const sweeps = new Rule(this, 'SweepSchedule', {
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(sweep.live)],
    });
    Validations.of(sweeps).acknowledge({
      id: 'Serverless::Serverless-EventBusDLQ',
      reason: 'The next run does what a failed one did not',
    });
  }
}
