import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { namespace } from '../../../shared/telemetry/metrics.ts';
import type { Settings } from '../../settings.ts';
import type { IngestionStack } from '../ingestion.ts';
import type { Storage } from '../storage.ts';
import type { WebhooksStack } from '../webhooks.ts';
import { createFunctionMetric, createGatewayMetric, createServiceMetric, type MetricSource } from './metrics.ts';

interface AlarmsProps extends MetricSource {
  targets: NonNullable<Settings['alarms']>;
  storage: Storage;
  accessLog: LogGroup;
  ingestion: IngestionStack;
  webhooks: WebhooksStack;
}

/** Condition of an alarm: `datapoints` of the last `periods` periods of five minutes reach `threshold`. */
interface AlarmTrigger {
  threshold: number;
  datapoints: number;
  periods: number;
}

/** Alarms of the service. docs/operations.md says what to do about each. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];

  constructor(scope: Construct, { targets, storage, accessLog, ingestion, webhooks, ...metricSource }: AlarmsProps) {
    super(scope, 'Alarms');
    const { name, environment } = metricSource;
    const actions = this.#createActions(name, targets);
    const addAlarm = (
      kind: string,
      metric: IMetric,
      { threshold, datapoints, periods }: AlarmTrigger,
      alarmDescription: string,
    ) => {
      const created = new Alarm(this, kind, {
        alarmName: `${name}-${kind}`,
        alarmDescription,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        datapointsToAlarm: datapoints,
        evaluationPeriods: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      created.addAlarmAction(...actions);
      created.addOkAction(...actions);
      this.all.push(created);
    };

    const errorRate = createGatewayMetric(metricSource, '5XXError', Stats.AVERAGE);
    addAlarm(
      'server-errors',
      errorRate,
      { threshold: 0.01, datapoints: 2, periods: 3 },
      'One answer in a hundred is 500 or above',
    );

    // The gateway's own metric includes answers of language models, which take as long as they take.
    const latency = createServiceMetric('duration_ms', { environment }, Stats.p(99));
    addAlarm(
      'latency',
      latency,
      { threshold: 3_000, datapoints: 3, periods: 3 },
      'One answer in a hundred takes three seconds',
    );

    const unavailable = createServiceMetric('faults', { environment, error: 'unavailable' });
    addAlarm('dependencies', unavailable, { threshold: 5, datapoints: 2, periods: 3 }, 'DynamoDB, S3 or KMS fail us');

    // No dimensions: the limit on concurrent functions is shared by all functions of the account and region.
    const throttles = new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM });
    addAlarm(
      'function-throttles',
      throttles,
      { threshold: 1, datapoints: 2, periods: 3 },
      'Functions wait for each other',
    );

    for (const direction of ['read', 'write'] as const) {
      const metricName = direction === 'read' ? 'ReadThrottleEvents' : 'WriteThrottleEvents';
      const throttled = storage.table.metric(metricName, { statistic: Stats.SUM });
      const tenThrottles = { threshold: 10, datapoints: 2, periods: 3 };
      addAlarm(`${direction}-throttles`, throttled, tenThrottles, `DynamoDB turns ${direction}s away`);
    }

    new MetricFilter(this, 'TurnedAway', {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace: namespace,
      metricName: 'turned_away',
      dimensions: { environment: '$.environment' },
    });
    const turnedAway = createServiceMetric('turned_away', { environment });
    addAlarm('turned-away', turnedAway, { threshold: 100, datapoints: 2, periods: 3 }, 'The gateway answers 429');

    const firstMessage = { threshold: 1, datapoints: 1, periods: 1 };
    const failedArrivals = ingestion.failedArrivals.metricApproximateNumberOfMessagesVisible({
      statistic: Stats.MAXIMUM,
    });
    addAlarm('dead-letters', failedArrivals, firstMessage, 'A document or a deletion could not be queued');
    const failedDocuments = ingestion.failedDocuments.metricApproximateNumberOfMessagesVisible({
      statistic: Stats.MAXIMUM,
    });
    addAlarm(
      'dead-documents',
      failedDocuments,
      firstMessage,
      'A document could not be read nor be told so, or a deletion not be completed',
    );

    const age = ingestion.documents.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM });
    const quarterHourSeconds = Duration.minutes(15).toSeconds();
    addAlarm(
      'ingestion-age',
      age,
      { threshold: quarterHourSeconds, datapoints: 2, periods: 3 },
      'Documents wait a quarter of an hour',
    );

    const relayAge = createFunctionMetric(metricSource, 'relay', 'IteratorAge', Stats.MAXIMUM);
    addAlarm(
      'relay-age',
      relayAge,
      { threshold: quarterHourSeconds * 1000, datapoints: 2, periods: 3 },
      'Events wait a quarter of an hour for the bus and the webhooks',
    );

    const sweepErrors = createFunctionMetric(metricSource, 'sweep', 'Errors', Stats.SUM);
    addAlarm(
      'sweep-errors',
      sweepErrors,
      { threshold: 1, datapoints: 3, periods: 3 },
      'Events cannot be sent for a quarter of an hour, or the sweep fails',
    );

    const deliveriesAge = webhooks.deliveries.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM });
    addAlarm(
      'deliveries-age',
      deliveriesAge,
      { threshold: quarterHourSeconds, datapoints: 2, periods: 3 },
      'Webhooks wait a quarter of an hour',
    );
  }

  /**
   * Creates the actions of an alarm: publish to the configured topics, and to a topic of the stack for email
   * subscribers.
   */
  #createActions(name: string, { emails = [], topicArns = [] }: NonNullable<Settings['alarms']>): IAlarmAction[] {
    const topics = topicArns.map((arn, i) => Topic.fromTopicArn(this, `Topic${i}`, arn));
    if (emails.length === 0) return topics.map((topic) => new SnsAction(topic));
    const emailTopic = new Topic(this, 'Mail', { enforceSSL: true });
    emailTopic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [emailTopic.topicArn],
        conditions: {
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: `${name}-*`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    for (const email of emails) emailTopic.addSubscription(new EmailSubscription(email));
    return [...topics, emailTopic].map((topic) => new SnsAction(topic));
  }
}
