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
import { namespace } from '../shared/metrics.ts';
import type { IngestionStack } from './ingestion.ts';
import { gatewayMetric, type Named, ownMetric } from './metrics.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';

interface AlarmsProps extends Named {
  targets: NonNullable<Settings['alarms']>;
  storage: Storage;
  accessLog: LogGroup;
  ingestion: IngestionStack;
}

/** When an alarm goes off: by `of` of the last `periods` periods of five minutes with a value of at least `threshold`. */
interface When {
  threshold: number;
  of: number;
  periods: number;
}

/** The alarms of the service; docs/operations.md says of each what to do. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];

  constructor(scope: Construct, { targets, storage, accessLog, ingestion, ...named }: AlarmsProps) {
    super(scope, 'Alarms');
    const { name, environment } = named;
    const actions = this.#actions(name, targets);
    const alarm = (kind: string, metric: IMetric, { threshold, of, periods }: When, alarmDescription: string) => {
      const made = new Alarm(this, kind, {
        alarmName: `${name}-${kind}`,
        alarmDescription,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        datapointsToAlarm: of,
        evaluationPeriods: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      made.addAlarmAction(...actions);
      made.addOkAction(...actions);
      this.all.push(made);
    };

    const rate = gatewayMetric(named, '5XXError', Stats.AVERAGE);
    alarm('server-errors', rate, { threshold: 0.01, of: 2, periods: 3 }, 'One answer in a hundred is 500 or above');

    const latency = gatewayMetric(named, 'Latency', Stats.p(99));
    alarm('latency', latency, { threshold: 3_000, of: 3, periods: 3 }, 'One answer in a hundred takes three seconds');

    const unavailable = ownMetric('faults', { environment, error: 'unavailable' });
    alarm('dependencies', unavailable, { threshold: 5, of: 2, periods: 3 }, 'DynamoDB, S3 or KMS fail us');

    // Without dimensions: all functions of the account and region, as the limit that they hit is theirs together.
    const throttles = new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM });
    alarm('function-throttles', throttles, { threshold: 1, of: 2, periods: 3 }, 'Functions wait for each other');

    for (const direction of ['read', 'write'] as const) {
      const metricName = direction === 'read' ? 'ReadThrottleEvents' : 'WriteThrottleEvents';
      const turnedAway = storage.table.metric(metricName, { statistic: Stats.SUM });
      const when = { threshold: 10, of: 2, periods: 3 };
      alarm(`${direction}-throttles`, turnedAway, when, `DynamoDB turns ${direction}s away`);
    }

    new MetricFilter(this, 'TurnedAway', {
      logGroup: accessLog,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace: namespace,
      metricName: 'turned_away',
      dimensions: { environment: '$.environment' },
    });
    const turnedAway = ownMetric('turned_away', { environment });
    alarm('turned-away', turnedAway, { threshold: 100, of: 2, periods: 3 }, 'The gateway answers 429');

    const isAny = { threshold: 1, of: 1, periods: 1 };
    const arrivals = ingestion.failedArrivals.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM });
    alarm('dead-letters', arrivals, isAny, 'A document could not be queued, or a deletion not be ended');
    const documents = ingestion.failedDocuments.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM });
    alarm('dead-documents', documents, isAny, 'A document could not be read, nor be told so');

    const age = ingestion.documents.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM });
    const quarter = Duration.minutes(15).toSeconds();
    alarm('ingestion-age', age, { threshold: quarter, of: 2, periods: 3 }, 'Documents wait a quarter of an hour');
  }

  /** Whom alarms tell: the topics that are named, and one of our own for those who are told by mail. */
  #actions(name: string, { emails = [], topicArns = [] }: NonNullable<Settings['alarms']>): IAlarmAction[] {
    const topics = topicArns.map((arn, i) => Topic.fromTopicArn(this, `Topic${i}`, arn));
    if (emails.length === 0) return topics.map((topic) => new SnsAction(topic));
    const own = new Topic(this, 'Mail', { enforceSSL: true });
    own.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [own.topicArn],
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
    for (const email of emails) own.addSubscription(new EmailSubscription(email));
    return [...topics, own].map((topic) => new SnsAction(topic));
  }
}
