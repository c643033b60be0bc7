import { Problem } from '../problem.ts';
import { type Meter, sum, type Usage } from './prices.ts';
import type { Deployment } from './templates.ts';

type Properties = Record<string, unknown>;

/** Lambda asks a queue five times at once, each time for 20 seconds, whether or not there is anything in it. */
const pollsAMonth = (5 * 30 * 86_400) / 20;

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0);

/** An alarm is billed by the metrics that it looks at. */
const metricsOf = ({ Metrics }: Properties) =>
  lengthOf(Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat) : undefined) || 1;

/** What a resource costs a month though nobody uses it. */
const standing: Record<string, (properties: Properties) => Usage> = {
  'AWS::KMS::Key': () => ({ key: 1 }),
  'AWS::CloudWatch::Alarm': (properties) => ({ alarm: metricsOf(properties) }),
  'AWS::CloudWatch::Dashboard': () => ({ dashboard: 1 }),
  'AWS::Lambda::EventSourceMapping': () => ({ queueRequest: pollsAMonth }),
  'AWS::WAFv2::WebACL': ({ Rules }) => ({ firewall: 1, firewallRule: lengthOf(Rules) }),
};

/** What costs nothing, or nothing until it is used. A metric filter has no metric in the hours in which nothing matches. */
const free = [
  /^AWS::ApiGateway::/,
  /^AWS::Backup::/,
  /^AWS::Budgets::Budget$/, // which acts on nothing, and only tells
  /^AWS::CloudFormation::/,
  /^AWS::CloudFront::/,
  /^AWS::CodeDeploy::/,
  /^AWS::Cognito::/,
  /^AWS::DynamoDB::GlobalTable$/,
  /^AWS::Events::/,
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

/** What AWS gives every account each month, for good and not for its first year only. Of dashboards three, but smaller than ours. */
const lastingFree: Usage = { queueRequest: 1e6, alarm: 10 };

/** A usage of which an account that has nothing else pays only what goes beyond AWS's lasting gifts. */
export const beyondFree = (usage: Usage): Usage =>
  Object.fromEntries(
    (Object.entries(usage) as [Meter, number][]).map(([meter, quantity]) => [
      meter,
      Math.max(0, quantity - (lastingFree[meter] ?? 0)),
    ]),
  );

/** What a deployment is billed by though nobody calls it. Throws Problem where it has something that no price is known for. */
export function idleUsage({ resources }: Deployment): Usage {
  const usages = resources.map(({ Type, Properties }): Usage => {
    const usage = standing[Type];
    if (usage) return usage(Properties);
    if (free.some((pattern) => pattern.test(Type))) return {};
    throw new Problem(`What does ${Type} cost while it idles? Say so in infra/cost/idle.ts`);
  });
  return sum(...usages.map((usage): [Usage, number] => [usage, 1]));
}
