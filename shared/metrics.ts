/**
 * The service's own metrics, in CloudWatch's embedded metric format: CloudWatch takes them out of the log lines that carry them.
 * Each name costs $0.30 a month and set of dimensions, in the hours that have values: docs/decisions/0010-*.md.
 */
export const namespace = 'VoiceAssistants';

/** What requests take and cost, over all routes of an environment. */
export const costs = {
  Namespace: namespace,
  Dimensions: [['environment']],
  Metrics: [
    { Name: 'duration_ms', Unit: 'Milliseconds' },
    { Name: 'round_trips' },
    { Name: 'read_units' },
    { Name: 'write_units' },
  ],
};

/** Answers of 500 and above: whose they are, and what went wrong. Only a line that has one names it, so that health is free. */
const faults = {
  Namespace: namespace,
  Dimensions: [
    ['environment', 'route'],
    ['environment', 'error'],
  ],
  Metrics: [{ Name: 'faults', Unit: 'Count' }],
};

/** What goes into the line of a request besides its fields, so that CloudWatch finds the metrics among them. */
export const embedded = (status: number) => ({
  _aws: { Timestamp: Date.now(), CloudWatchMetrics: status < 500 ? [costs] : [costs, faults] },
  ...(status >= 500 && { faults: 1 }),
});
