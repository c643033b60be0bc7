import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/route.ts';
import { createServiceMetric, type MetricSource } from '../monitoring/metrics.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * Threshold of a canary's 99th latency percentile, in milliseconds: ten times the usual duration after a cold start.
 */
const latencyThresholdMs = 2_000;

/**
 * Canary releases by CodeDeploy: a new version gets a tenth of a function's requests for five minutes, then all of
 * them. If an alarm goes off, the old version gets them all again, and CloudFormation rolls back the deployment.
 */
export class Releases extends Construct {
  readonly #metricSource: MetricSource;
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, metricSource: MetricSource) {
    super(scope, 'Releases');
    this.#metricSource = metricSource;
    this.#application = new LambdaApplication(this, 'Application', { applicationName: metricSource.name });
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
  }

  /** Releases a route's function as a canary, guarded by three alarms. */
  addCanary({ id: route }: Route, { live }: ServiceFunction): void {
    const { name, environment } = this.#metricSource;
    const group = new Construct(this, route.replace('/', '-'));
    /**
     * Creates an alarm that needs two bad minutes out of five: a canary of five minutes triggers it, a single bad
     * minute does not.
     */
    const createAlarm = (kind: string, metric: Metric, threshold: number, alarmDescription: string) =>
      new Alarm(group, kind, {
        alarmName: `${name}-${route.replace('/', '-')}-${kind}`,
        alarmDescription,
        metric: metric.with({ period: Duration.minutes(1) }),
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 5,
        datapointsToAlarm: 2,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
    new LambdaDeploymentGroup(group, 'Group', {
      application: this.#application,
      role: this.#role,
      alias: live,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [
        createAlarm('release-crashes', live.metricErrors(), 1, `${route} crashes, or takes too long to answer`),
        createAlarm(
          'release-faults',
          createServiceMetric('faults', { environment, route }),
          1,
          `${route} answers 500 or 503`,
        ),
        createAlarm(
          'release-latency',
          live.metricDuration({ statistic: Stats.p(99) }),
          latencyThresholdMs,
          `${route} is slow`,
        ),
      ],
    });
  }
}
