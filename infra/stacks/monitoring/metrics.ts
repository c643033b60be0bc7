import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { namespace } from '../../../shared/telemetry/metrics.ts';
import { toFunctionName } from '../api/service-function.ts';

/** Names that identify the metrics of one environment's service. */
export interface MetricSource {
  /** Prefix of every function name, and the gateway's name. */
  name: string;
  /** Name of the environment and of the gateway's stage. */
  environment: string;
}

const period = Duration.minutes(5);

/** Creates a gateway metric over all routes. AWS does not charge for it. */
export const createGatewayMetric = ({ name, environment }: MetricSource, metricName: string, statistic: string) =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: name, Stage: environment },
    statistic,
    period,
  });

/** Creates a metric of a route's function over all its versions. AWS does not charge for it. */
export const createFunctionMetric = ({ name }: MetricSource, id: string, metricName: string, statistic: string) =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: toFunctionName(name, id) },
    statistic,
    period,
  });

/** Creates a metric that comes from the log lines of requests (shared/telemetry/metrics.ts). */
export const createServiceMetric = (
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string = Stats.SUM,
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period });
