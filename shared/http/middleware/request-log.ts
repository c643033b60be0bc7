import { finished, Readable } from 'node:stream';
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

/** Rounds milliseconds to a thousandth. */
const toMs = (ms: number) => Math.round(ms * 1000) / 1000;

/** Logs one structured line per request, with its metrics, when its response ends. Never logs a body, a token or a user's id. */
export const requestLog = (route: Route): Middleware => {
  const log = ({ event, context, internal, response }: MiddlewareRequest, firstByteMs?: number) => {
    const { statusCode } = response as APIGatewayProxyResult;
    writeLogLine(context.awsRequestId, {
      ...buildMetricFields(route, statusCode),
      environment,
      request_id: event.requestContext.requestId,
      route: route.id,
      version,
      status: statusCode,
      duration_ms: toMs(performance.now() - internal.startedAt),
      first_byte_ms: firstByteMs && toMs(firstByteMs), // omitted unless the response is streamed
      user: internal.user && toUserLabel(internal.user.key),
      member: internal.user?.member,
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
    after(request) {
      const { body } = request.response as { body: unknown };
      if (!(body instanceof Readable)) return log(request);
      const firstByteMs = performance.now() - request.internal.startedAt;
      finished(body, (error) => {
        request.internal.error = error ? 'client_gone' : request.internal.getStreamError?.();
        log(request, firstByteMs);
      });
    },
    onError: (request) => log(request),
  };
};
