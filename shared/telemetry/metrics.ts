import type { Route } from '../route.ts';

/**
 * Namespace of our custom metrics. CloudWatch extracts them from log lines in its embedded metric format. Each metric
 * costs $0.30 a month per combination of dimensions, for the hours that have values (docs/decisions/0010-*.md).
 */
export const namespace = 'VoiceAssistants';

/** Duration and cost of requests, over all routes of an environment. */
export const costMetrics = {
  Namespace: namespace,
  Dimensions: [['environment']],
  Metrics: [
    { Name: 'duration_ms', Unit: 'Milliseconds' },
    { Name: 'round_trips' },
    { Name: 'read_units' },
    { Name: 'write_units' },
  ],
};

/**
 * Responses of 500 and above, by route and by error. Only failed requests carry this metric, so it is free without
 * errors.
 */
const faultMetrics = {
  Namespace: namespace,
  Dimensions: [
    ['environment', 'route'],
    ['environment', 'error'],
  ],
  Metrics: [{ Name: 'faults', Unit: 'Count' }],
};

/** The same for answers of language models: their duration says nothing about the service. */
const vendorMetrics = { ...costMetrics, Metrics: costMetrics.Metrics.filter(({ Name }) => Name !== 'duration_ms') };

/** Builds the fields that mark the metrics of a request's log line for CloudWatch. */
export function buildMetricFields({ streamSeconds }: Pick<Route, 'streamSeconds'>, status: number) {
  const metrics = streamSeconds ? vendorMetrics : costMetrics;
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: status < 500 ? [metrics] : [metrics, faultMetrics] },
    ...(status >= 500 && { faults: 1 }),
  };
}
