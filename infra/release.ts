import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Route } from '../shared/route.ts';
import type { Endpoint } from './endpoint.ts';
import { type Named, ownMetric } from './metrics.ts';

/** A 99th percentile of a canary's time that is too slow, in milliseconds: ten times its usual work after a cold start. */
const slowMs = 2_000;

/**
 * CodeDeploy, which gives a tenth of a function's requests to its new version for five minutes, and then all of them; or none
 * again where an alarm goes off, and CloudFormation takes the whole deployment back.
 */
export class Releases extends Construct {
  readonly #named: Named;
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, named: Named) {
    super(scope, 'Releases');
    this.#named = named;
    this.#application = new LambdaApplication(this, 'Application', { applicationName: named.name });
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
  }

  /** Has the function of a route be released so, guarded by three alarms of its own. */
  canary({ id: route }: Route, { live }: Endpoint): void {
    const { name, environment } = this.#named;
    const folder = new Construct(this, route.replace('/', '-'));
    /** Goes off by two minutes of the last five: a canary of five minutes hears it, and one odd minute is none. */
    const alarm = (kind: string, metric: Metric, threshold: number, alarmDescription: string) =>
      new Alarm(folder, kind, {
        alarmName: `${name}-${route.replace('/', '-')}-${kind}`,
        alarmDescription,
        metric: metric.with({ period: Duration.minutes(1) }),
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 5,
        datapointsToAlarm: 2,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
    new LambdaDeploymentGroup(folder, 'Group', {
      application: this.#application,
      role: this.#role,
      alias: live,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [
        alarm('release-crashes', live.metricErrors(), 1, `${route} crashes, or takes too long to answer`),
        alarm('release-faults', ownMetric('faults', { environment, route }), 1, `${route} answers 500 or 503`),
        alarm('release-latency', live.metricDuration({ statistic: Stats.p(99) }), slowMs, `${route} is slow`),
      ],
    });
  }
}
