import { env } from '../../env.ts';
import type { Route } from '../../route.ts';
import { toUserLabel, writeLogLine } from '../../telemetry/log-line.ts';
import { meter, resetMeter } from '../../telemetry/meter.ts';
import { buildMetricFields } from '../../telemetry/metrics.ts';
import type { APIGatewayProxyResult, Middleware, MiddlewareRequest } from './middleware.ts';

const environment = env('ENVIRONMENT');

/** Version of the Lambda function. During a canary release, two versions run. */
const version = process.env.AWS_LAMBDA_FUNCTION_VERSION;

let isColdStart = true;

/** Logs one structured line per request, with its metrics. Never logs a body, a token or a user's id. */
export const requestLog = (route: Route): Middleware => {
  const log = ({ event, context, internal, response }: MiddlewareRequest) => {
    const { statusCode } = response as APIGatewayProxyResult;
    writeLogLine(context.awsRequestId, {
      ...buildMetricFields(statusCode),
      environment,
      request_id: event.requestContext.requestId,
      route: route.id,
      version,
      status: statusCode,
      duration_ms: Math.round((performance.now() - internal.startedAt) * 1000) / 1000,
      user: internal.user && toUserLabel(internal.user.key),
      api_key: internal.user?.keyId,
      client: internal.user?.client,
      cold_start: isColdStart,
      round_trips: meter.roundTrips,
      read_units: meter.readUnits,
      write_units: meter.writeUnits,
      // Omitted if zero, as in most requests: logs are billed by the byte.
      key_requests: meter.keyRequests || undefined,
      files_stored: meter.filesStored || undefined,
      files_read: meter.filesRead || undefined,
      error: internal.error,
      reason: internal.reason,
    });
    isColdStart = false;
  };
  return {
    before({ internal }) {
      internal.startedAt = performance.now();
      internal.faults = [];
      internal.ignored = [];
      internal.typos = [];
      resetMeter();
    },
    after: log,
    onError: log,
  };
};
