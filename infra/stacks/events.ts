import { Duration, NestedStack, Validations } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
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
 * Nested stack that acts on the table by itself: table stream → relay → event bus and the queue of deliveries, and a
 * schedule → sweep, for rows that wait for a time. Also holds the functions of the event routes (route-stacks.ts).
 */
export class EventsStack extends NestedStack {
  readonly busName: string;

  constructor(scope: Construct, id: string, { name, source, settings, storage, bundles, webhooks }: EventsProps) {
    super(scope, id);
    const { table } = storage;
    const common = { service: name, bundles, settings };
    const buildSendStatement = ({ queueArn }: Queue) =>
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] });

    const bus = new EventBus(this, 'Bus', { eventBusName: name });
    this.busName = bus.eventBusName;
    /** What a function needs to send events (shared/delivery/relay-events.ts). */
    const sending = {
      environment: {
        TABLE_NAME: table.tableName,
        EVENT_DAYS: String(settings.eventDays),
        EVENT_BUS_NAME: bus.eventBusName,
        EVENT_SOURCE: source,
        DELIVERY_QUEUE_URL: webhooks.deliveries.queueUrl,
        DELIVERY_LANES: String(webhooks.lanesPerOwner),
      },
      statements: [
        buildSendStatement(webhooks.deliveries),
        new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
      ],
    };
    const relay = new ServiceFunction(this, {
      ...common,
      id: 'relay',
      timeout: Duration.seconds(30),
      environment: sending.environment,
      statements: [
        ...buildRowStatements(
          { events: ['BatchGetItem'], webhooks: ['Query'], deliveries: ['PutItem'], unsent: ['PutItem'] },
          table,
        ),
        ...sending.statements,
        buildStreamStatement(storage),
      ],
    });
    addStreamSource(this, 'NewEvents', storage, relay.live, ['EVENT#'], {
      batchSize: 100,
      // Retried until they leave the stream, after 24 hours, if `relay` cannot even store which events failed: dropping one would lose it.
      bisectBatchOnError: true,
    });

    const sweep = new ServiceFunction(this, {
      ...common,
      id: 'sweep',
      memoryMb: fullCoreMb, // it mostly finds nothing to do, and else has much to do in a minute
      timeout: Duration.minutes(1),
      environment: { ...sending.environment, RETRY_QUEUE_URL: webhooks.retries.queueUrl },
      statements: [
        ...buildRowStatements(
          {
            knowledge: ['GetItem', 'UpdateItem'],
            versions: ['Query', 'DeleteItem'],
            events: ['BatchGetItem', 'PutItem'],
            unsent: ['GetItem', 'PutItem', 'DeleteItem'],
            webhooks: ['Query', 'UpdateItem'],
            deliveries: ['PutItem', 'UpdateItem'],
            jobs: ['PutItem', 'UpdateItem'],
          },
          table,
        ),
        ...sending.statements,
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
