import { Template } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../infra/config.ts';
import { Synthesized, synthesized } from './stacks.ts';

/** What CloudWatch is told of an alarm that is read here. */
export interface Alarm {
  AlarmName: string;
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
  Statistic?: 'Sum' | 'Average' | 'Maximum';
  ExtendedStatistic?: string;
  Threshold: number;
  Period: number;
  EvaluationPeriods: number;
  DatapointsToAlarm: number;
  TreatMissingData: string;
  AlarmActions?: unknown[];
  OKActions?: unknown[];
}

/** The alarms of an environment, by what follows the name of the service in theirs. */
export function alarmsOf(environment: string, settings: Settings): Map<string, Alarm> {
  const { service } = synthesized(environment, settings);
  const stacks = [service.api, service.monitoring].map((stack) => new Synthesized(Template.fromStack(stack)));
  const alarms = stacks.flatMap((stack) => stack.all<Alarm>('AWS::CloudWatch::Alarm'));
  return new Map(
    alarms.map(({ Properties }) => [Properties.AlarmName.replace(`voice-assistants-${environment}-`, ''), Properties]),
  );
}

/** One value of a metric. */
export interface Datum {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  value: number;
}

interface Embedded {
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

/** The metrics in a line, as the specification of the embedded metric format has CloudWatch find them. */
export function embeddedIn(line: Record<string, unknown>): Datum[] {
  const { CloudWatchMetrics = [] } = (line._aws ?? {}) as Partial<Embedded>;
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => {
        const dimensions = names.map((name) => [name, line[name]] as const);
        const missing = dimensions.find(([, value]) => typeof value !== 'string');
        const value = line[Name];
        if (missing || typeof value !== 'number') throw new Error(`The line lacks ${missing?.[0] ?? Name}`);
        return { namespace: Namespace, name: Name, dimensions: Object.fromEntries(dimensions) as never, value };
      }),
    ),
  );
}

/** The gateway's own metrics of a request: those that CloudWatch shows, and that its access log has line by line. */
export function gatewayMetricsOf(
  name: string,
  line: { environment: string; status: string; latency_ms: string },
): Datum[] {
  const values = {
    Count: 1,
    Latency: Number(line.latency_ms),
    '5XXError': Number(line.status.startsWith('5')),
    '4XXError': Number(line.status.startsWith('4')),
  };
  const dimensions = { ApiName: name, Stage: line.environment };
  return Object.entries(values).map(([name, value]) => ({ namespace: 'AWS/ApiGateway', name, dimensions, value }));
}

/** The value that an alarm would compare to its threshold, had a period these values; nothing where none is of its metric. */
function statisticOf(alarm: Alarm, data: Datum[]): number | undefined {
  const dimensions = Object.fromEntries((alarm.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]));
  const isOurs = ({ namespace, name, dimensions: own }: Datum) =>
    namespace === alarm.Namespace &&
    name === alarm.MetricName &&
    Object.keys(own).length === Object.keys(dimensions).length &&
    Object.entries(own).every(([key, value]) => dimensions[key] === value);
  const values = data.filter(isOurs).map(({ value }) => value);
  if (values.length === 0) return undefined;
  const sum = values.reduce((a, b) => a + b, 0);
  if (alarm.Statistic === 'Sum') return sum;
  if (alarm.Statistic === 'Average') return sum / values.length;
  const share = Number(alarm.ExtendedStatistic?.slice(1) ?? 100) / 100;
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
}

/** Whether an alarm goes off where as many periods as it asks for have these values. */
export const goesOff = (alarm: Alarm, data: Datum[]): boolean => {
  const value = statisticOf(alarm, data);
  return value !== undefined && value >= alarm.Threshold;
};
