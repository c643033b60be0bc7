/** One value of a metric. */
export interface Datum {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  value: number;
}

interface Embedded {
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

/** Parses the metrics of a log line, as CloudWatch does by the embedded metric format specification. */
export function parseEmbeddedMetrics(line: Record<string, unknown>): Datum[] {
  const { CloudWatchMetrics = [] } = (line._aws ?? {}) as Partial<Embedded>;
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => {
        const dimensions = names.map((name) => [name, line[name]] as const);
        const missing = dimensions.find(([, value]) => typeof value !== 'string');
        const value = line[Name];
        if (missing || typeof value !== 'number') throw new Error(`The line lacks ${missing?.[0] ?? Name}`);
        return { namespace: Namespace, name: Name, dimensions: Object.fromEntries(dimensions) as never, value };
      }),
    ),
  );
}

/** Converts a line of the access log to the metrics that API Gateway sends to CloudWatch for the request. */
export function toGatewayMetrics(
  name: string,
  line: { environment: string; status: string; latency_ms: string },
): Datum[] {
  const values = {
    Count: 1,
    Latency: Number(line.latency_ms),
    '5XXError': Number(line.status.startsWith('5')),
    '4XXError': Number(line.status.startsWith('4')),
  };
  const dimensions = { ApiName: name, Stage: line.environment };
  return Object.entries(values).map(([name, value]) => ({ namespace: 'AWS/ApiGateway', name, dimensions, value }));
}
