import { Template } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../infra/settings.ts';
import type { Datum } from './metrics.ts';
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
