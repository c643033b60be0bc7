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
import { routes } from '../../../shared/routes/index.ts';
import type { IngestionStack } from '../ingestion.ts';
import type { Storage } from '../storage.ts';
import { createFunctionMetric, createGatewayMetric, createServiceMetric, type MetricSource } from './metrics.ts';

interface DashboardProps extends MetricSource {
  storage: Storage;
  ingestion: IngestionStack;
  alarms: Alarm[];
}

type GraphRow = [title: string, left: IMetric[]][];

/** Creates the graphs of one row. A dashboard is 24 units wide. */
const createWidgets = (graphs: GraphRow) =>
  graphs.map(([title, left]) => new GraphWidget({ title, left, width: 24 / graphs.length, height: 5 }));

/** Returns the p50 and p99 of a metric. */
const toPercentiles = (metric: (statistic: string) => { with(props: { label: string }): IMetric }) =>
  [50, 99].map((percent) => metric(Stats.p(percent)).with({ label: `p${percent}` }));

/**
 * Creates a dashboard of the whole service and of each route. CloudWatch allows 2,500 metrics per dashboard, 500 per
 * graph.
 */
export function createDashboard(
  scope: Construct,
  { storage, ingestion, alarms, ...metricSource }: DashboardProps,
): void {
  const { name, environment } = metricSource;
  const board = new Dashboard(scope, 'Dashboard', { dashboardName: name });
  // CloudFormation supports tags on dashboards since June 2026; cfn-lint before 1.51.1 reports them as an error.
  (board.node.defaultChild as CfnDashboard).addMetadata('cfn-lint', { config: { ignore_checks: ['E3002'] } });
  const addHeading = (markdown: string) => board.addWidgets(new TextWidget({ markdown, width: 24, height: 1 }));

  if (alarms.length > 0) board.addWidgets(new AlarmStatusWidget({ alarms, width: 24, height: 3 }));
  addHeading('## All requests');
  board.addWidgets(...createWidgets(createGatewayGraphs(metricSource)));

  addHeading('## What requests cost');
  const createMetric = (metricName: string, statistic: string) =>
    createServiceMetric(metricName, { environment }, statistic);
  board.addWidgets(
    ...createWidgets([
      ['Round trips a request', [createMetric('round_trips', Stats.AVERAGE), createMetric('round_trips', Stats.p(99))]],
      ['Capacity units', [createMetric('read_units', Stats.SUM), createMetric('write_units', Stats.SUM)]],
      ['Time in functions', toPercentiles((statistic) => createMetric('duration_ms', statistic))],
    ]),
  );

  addHeading('## Table');
  const createTableMetric = (metricName: string) => storage.table.metric(metricName, { statistic: Stats.SUM });
  const operations = [Operation.GET_ITEM, Operation.QUERY, Operation.TRANSACT_WRITE_ITEMS];
  board.addWidgets(
    ...createWidgets([
      [
        'Consumed capacity',
        [createTableMetric('ConsumedReadCapacityUnits'), createTableMetric('ConsumedWriteCapacityUnits')],
      ],
      ['Throttles', [createTableMetric('ReadThrottleEvents'), createTableMetric('WriteThrottleEvents')]],
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

  addHeading('## Documents');
  const { documents, failedArrivals, failedDocuments } = ingestion;
  const depth = (statistic: string) => ({ statistic, label: 'waiting' });
  const createIngestMetric = (metricName: string, statistic: string) =>
    createFunctionMetric(metricSource, 'ingest', metricName, statistic);
  board.addWidgets(
    ...createWidgets([
      ['Waiting', [documents.metricApproximateNumberOfMessagesVisible(depth(Stats.MAXIMUM))]],
      ['Age of the oldest, seconds', [documents.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM })]],
      [
        'Dead letters',
        [failedArrivals, failedDocuments].map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
        ),
      ],
      ['Attempts and crashes', [createIngestMetric('Invocations', Stats.SUM), createIngestMetric('Errors', Stats.SUM)]],
      ['Time of an attempt', toPercentiles((statistic) => createIngestMetric('Duration', statistic))],
    ]),
  );

  for (const { id, method, path } of routes) {
    addHeading(`### ${id} — ${method} ${path}`);
    board.addWidgets(...createWidgets(createRouteGraphs(metricSource, id)));
  }
}

function createGatewayGraphs(metricSource: MetricSource): GraphRow {
  const metric = (metricName: string, statistic: string) => createGatewayMetric(metricSource, metricName, statistic);
  return [
    ['Requests', [metric('Count', Stats.SUM)]],
    ['Errors', [metric('4XXError', Stats.SUM), metric('5XXError', Stats.SUM)]],
    ['Latency', toPercentiles((statistic) => metric('Latency', statistic))],
  ];
}

function createRouteGraphs(metricSource: MetricSource, id: string): GraphRow {
  const metric = (metricName: string, statistic: string) =>
    createFunctionMetric(metricSource, id, metricName, statistic);
  const faults = createServiceMetric('faults', { environment: metricSource.environment, route: id });
  return [
    ['Requests', [metric('Invocations', Stats.SUM)]],
    ['Errors', [faults.with({ label: '500 and 503' }), metric('Errors', Stats.SUM).with({ label: 'crashes' })]],
    ['Latency', toPercentiles((statistic) => metric('Duration', statistic))],
    ['Throttles', [metric('Throttles', Stats.SUM)]],
  ];
}
