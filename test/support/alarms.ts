import { Template } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../infra/settings.ts';
import type { Datum } from './metrics.ts';
import { StackTemplate, synthesizeStacks } from './stacks.ts';

/** The properties of an alarm that tests read. */
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

/** Returns the alarms of an environment by name, without the service and environment prefix. */
export function getAlarms(environment: string, settings: Settings): Map<string, Alarm> {
  const { service } = synthesizeStacks(environment, settings);
  const stacks = [service.api, service.monitoring].map((stack) => new StackTemplate(Template.fromStack(stack)));
  const alarms = stacks.flatMap((stack) => stack.list<Alarm>('AWS::CloudWatch::Alarm'));
  return new Map(
    alarms.map(({ Properties }) => [Properties.AlarmName.replace(`voice-assistants-${environment}-`, ''), Properties]),
  );
}

/** Returns the statistic that an alarm compares to its threshold, or undefined if the data has no value of its metric. */
function computeStatistic(alarm: Alarm, data: Datum[]): number | undefined {
  const dimensions = Object.fromEntries((alarm.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]));
  const isOfMetric = ({ namespace, name, dimensions: own }: Datum) =>
    namespace === alarm.Namespace &&
    name === alarm.MetricName &&
    Object.keys(own).length === Object.keys(dimensions).length &&
    Object.entries(own).every(([key, value]) => dimensions[key] === value);
  const values = data.filter(isOfMetric).map(({ value }) => value);
  if (values.length === 0) return undefined;
  const sum = values.reduce((a, b) => a + b, 0);
  if (alarm.Statistic === 'Sum') return sum;
  if (alarm.Statistic === 'Average') return sum / values.length;
  const share = Number(alarm.ExtendedStatistic?.slice(1) ?? 100) / 100;
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
}

/** True if an alarm goes off when each of its evaluation periods has these values. */
export const isTriggered = (alarm: Alarm, data: Datum[]): boolean => {
  const value = computeStatistic(alarm, data);
  return value !== undefined && value >= alarm.Threshold;
};
