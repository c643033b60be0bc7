import {
  type Alarm,
  AlarmStatusWidget,
  type CfnDashboard,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { routes } from '../shared/routes/index.ts';
import type { IngestionStack } from './ingestion.ts';
import { functionMetric, gatewayMetric, type Named, ownMetric } from './metrics.ts';
import type { Storage } from './storage.ts';

interface DashboardProps extends Named {
  storage: Storage;
  ingestion: IngestionStack;
  alarms: Alarm[];
}

type Graphs = [title: string, left: IMetric[]][];

/** The graphs of a row, side by side; a dashboard is 24 wide. */
const row = (graphs: Graphs) =>
  graphs.map(([title, left]) => new GraphWidget({ title, left, width: 24 / graphs.length, height: 5 }));

/** The p50 and the p99 of a metric. */
const percentiles = (metric: (statistic: string) => { with(props: { label: string }): IMetric }) =>
  [50, 99].map((percent) => metric(Stats.p(percent)).with({ label: `p${percent}` }));

/** How the service does, as a whole and by route. CloudWatch takes up to 2,500 metrics, and 500 in a graph. */
export function dashboard(scope: Construct, { storage, ingestion, alarms, ...named }: DashboardProps): void {
  const { name, environment } = named;
  const board = new Dashboard(scope, 'Dashboard', { dashboardName: name });
  // CloudFormation tags dashboards since June 2026. A cfn-lint before 1.51.1 takes that for an error.
  (board.node.defaultChild as CfnDashboard).addMetadata('cfn-lint', { config: { ignore_checks: ['E3002'] } });
  const section = (markdown: string) => board.addWidgets(new TextWidget({ markdown, width: 24, height: 1 }));

  if (alarms.length > 0) board.addWidgets(new AlarmStatusWidget({ alarms, width: 24, height: 3 }));
  section('## All requests');
  board.addWidgets(...row(ofGateway(named)));

  section('## What requests cost');
  const own = (metricName: string, statistic: string) => ownMetric(metricName, { environment }, statistic);
  board.addWidgets(
    ...row([
      ['Round trips a request', [own('round_trips', Stats.AVERAGE), own('round_trips', Stats.p(99))]],
      ['Capacity units', [own('read_units', Stats.SUM), own('write_units', Stats.SUM)]],
      ['Time in functions', percentiles((statistic) => own('duration_ms', statistic))],
    ]),
  );

  section('## Table');
  const ofTable = (metricName: string) => storage.table.metric(metricName, { statistic: Stats.SUM });
  const operations = [Operation.GET_ITEM, Operation.QUERY, Operation.TRANSACT_WRITE_ITEMS];
  board.addWidgets(
    ...row([
      ['Consumed capacity', [ofTable('ConsumedReadCapacityUnits'), ofTable('ConsumedWriteCapacityUnits')]],
      ['Throttles', [ofTable('ReadThrottleEvents'), ofTable('WriteThrottleEvents')]],
      [
        'Latency, p99',
        operations.map((Operation) =>
          storage.table
            .metricSuccessfulRequestLatency({ dimensionsMap: { TableName: storage.table.tableName, Operation } })
            .with({ statistic: Stats.p(99), label: Operation }),
        ),
      ],
    ]),
  );

  section('## Documents');
  const { documents, failedArrivals, failedDocuments } = ingestion;
  const depth = (statistic: string) => ({ statistic, label: 'waiting' });
  const ofReader = (metricName: string, statistic: string) => functionMetric(named, 'ingest', metricName, statistic);
  board.addWidgets(
    ...row([
      ['Waiting', [documents.metricApproximateNumberOfMessagesVisible(depth(Stats.MAXIMUM))]],
      ['Age of the oldest, seconds', [documents.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM })]],
      [
        'Dead letters',
        [failedArrivals, failedDocuments].map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
        ),
      ],
      ['Attempts and crashes', [ofReader('Invocations', Stats.SUM), ofReader('Errors', Stats.SUM)]],
      ['Time of an attempt', percentiles((statistic) => ofReader('Duration', statistic))],
    ]),
  );

  for (const { id, method, path } of routes) {
    section(`### ${id} — ${method} ${path}`);
    board.addWidgets(...row(ofRoute(named, id)));
  }
}

function ofGateway(named: Named): Graphs {
  const metric = (metricName: string, statistic: string) => gatewayMetric(named, metricName, statistic);
  return [
    ['Requests', [metric('Count', Stats.SUM)]],
    ['Errors', [metric('4XXError', Stats.SUM), metric('5XXError', Stats.SUM)]],
    ['Latency', percentiles((statistic) => metric('Latency', statistic))],
  ];
}

function ofRoute(named: Named, id: string): Graphs {
  const metric = (metricName: string, statistic: string) => functionMetric(named, id, metricName, statistic);
  const faults = ownMetric('faults', { environment: named.environment, route: id });
  return [
    ['Requests', [metric('Invocations', Stats.SUM)]],
    ['Errors', [faults.with({ label: '500 and 503' }), metric('Errors', Stats.SUM).with({ label: 'crashes' })]],
    ['Latency', percentiles((statistic) => metric('Duration', statistic))],
    ['Throttles', [metric('Throttles', Stats.SUM)]],
  ];
}
