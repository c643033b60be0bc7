import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { namespace } from '../shared/metrics.ts';
import { functionNameOf } from './endpoint.ts';

/** The service of one environment, as its metrics name it. */
export interface Named {
  /** What the names of all functions begin with; the gateway has it as its own. */
  name: string;
  /** The environment's name, also that of the gateway's stage. */
  environment: string;
}

const period = Duration.minutes(5);

/** A metric of the gateway, over all routes. AWS gives it for nothing. */
export const gatewayMetric = ({ name, environment }: Named, metricName: string, statistic: string) =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: name, Stage: environment },
    statistic,
    period,
  });

/** A metric of a route's function, over all its versions. AWS gives it for nothing. */
export const functionMetric = ({ name }: Named, id: string, metricName: string, statistic: string) =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionNameOf(name, id) },
    statistic,
    period,
  });

/** A metric that the log lines of requests carry (shared/metrics.ts). */
export const ownMetric = (metricName: string, dimensionsMap: Record<string, string>, statistic: string = Stats.SUM) =>
  new Metric({ namespace, metricName, dimensionsMap, statistic, period });
