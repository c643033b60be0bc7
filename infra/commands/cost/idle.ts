import { duePartitions } from '../../../shared/domain/due.ts';
import { fullCoreMb } from '../../../shared/route.ts';
import { UserError } from '../../terminal/user-error.ts';
import { type Meter, sumUsages, type Usage } from './prices.ts';
import type { SynthesizedStack } from './templates.ts';

type Properties = Record<string, unknown>;

/** Lambda's requests to one queue a month: five concurrent long polls of 20 seconds, even if it is empty. */
const pollsAMonth = (5 * 30 * 86_400) / 20;

/** Runs of `sweep` a month: one every five minutes. */
const sweepsAMonth = (30 * 24 * 60) / 5;

/** Usage of a run of `sweep` that finds nothing: 0.2 s at its memory, and an eventually consistent query per partition. */
const sweepUsage: Usage = {
  lambdaRequest: 1,
  lambdaGbSecond: 0.2 * (fullCoreMb / 1_024),
  readUnit: duePartitions.length * 0.5,
};

const countItems = (list: unknown) => (Array.isArray(list) ? list.length : 0);

/** Returns the number of metrics that an alarm is billed for. */
const countMetrics = ({ Metrics }: Properties) =>
  countItems(Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat) : undefined) || 1;

/** Monthly usage of idle resources, by type. */
const idleUsages: Record<string, (properties: Properties) => Usage> = {
  'AWS::KMS::Key': () => ({ key: 1 }),
  'AWS::CloudWatch::Alarm': (properties) => ({ alarm: countMetrics(properties) }),
  'AWS::CloudWatch::Dashboard': () => ({ dashboard: 1 }),
  // Lambda reads a table's stream for free.
  'AWS::Lambda::EventSourceMapping': ({ StartingPosition }) => (StartingPosition ? {} : { queueRequest: pollsAMonth }),
  'AWS::Events::Rule': ({ ScheduleExpression }) => (ScheduleExpression ? sumUsages([sweepUsage, sweepsAMonth]) : {}),
  'AWS::WAFv2::WebACL': ({ Rules }) => ({ firewall: 1, firewallRule: countItems(Rules) }),
};

/** Resource types that cost nothing while idle. A metric filter has no metric in hours without a match. */
const freeTypes = [
  /^AWS::ApiGateway::/,
  /^AWS::Backup::/,
  /^AWS::Budgets::Budget$/, // without actions, only notifications
  /^AWS::CloudFormation::/,
  /^AWS::CloudFront::/,
  /^AWS::CodeDeploy::/,
  /^AWS::Cognito::/,
  /^AWS::DynamoDB::GlobalTable$/,
  /^AWS::Events::EventBus$/,
  /^AWS::IAM::/,
  /^AWS::Lambda::(Function|LayerVersion|Version|Alias|Permission)$/,
  /^AWS::Logs::(LogGroup|MetricFilter|QueryDefinition)$/,
  /^AWS::S3::/,
  /^AWS::SNS::/,
  /^AWS::SQS::/,
  /^AWS::WAFv2::WebACLAssociation$/,
  /^AWS::CDK::Metadata$/,
  /^Custom::(S3AutoDeleteObjects|CDKBucketDeployment)$/,
];

/** AWS's monthly free tier that does not end after a year. It includes three dashboards, but smaller ones than ours. */
const alwaysFree: Usage = { queueRequest: 1e6, alarm: 10 };

/** Subtracts AWS's lasting free tier from the usage of an otherwise empty account. */
export const subtractAlwaysFree = (usage: Usage): Usage =>
  Object.fromEntries(
    (Object.entries(usage) as [Meter, number][]).map(([meter, quantity]) => [
      meter,
      Math.max(0, quantity - (alwaysFree[meter] ?? 0)),
    ]),
  );

/** Returns the monthly usage of an idle environment. Throws UserError if a resource has no known price. */
export function getIdleUsage({ resources }: SynthesizedStack): Usage {
  const usages = resources.map(({ Type, Properties }): Usage => {
    const usage = idleUsages[Type];
    if (usage) return usage(Properties);
    if (freeTypes.some((pattern) => pattern.test(Type))) return {};
    throw new UserError(`No idle price for ${Type}: add it to infra/commands/cost/idle.ts`);
  });
  return sumUsages(...usages.map((usage): [Usage, number] => [usage, 1]));
}
