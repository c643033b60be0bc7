import { env } from '../env.ts';
import { logLine, userLabel } from '../log-line.ts';
import { meter, resetMeter } from '../meter.ts';
import { embedded } from '../metrics.ts';
import type { Route } from '../route.ts';
import type { APIGatewayProxyResult, Layer, Request } from './onion.ts';

const environment = env('ENVIRONMENT');

/** The version that Lambda runs: two of them while a release goes out. */
const version = process.env.AWS_LAMBDA_FUNCTION_VERSION;

let cold = true;

/** One structured line per request, with its metrics: never a body, a token or a user's name. */
export const requestLog = (route: Route): Layer => {
  const log = ({ event, context, internal, response }: Request) => {
    const { statusCode } = response as APIGatewayProxyResult;
    logLine(context.awsRequestId, {
      ...embedded(statusCode),
      environment,
      request_id: event.requestContext.requestId,
      route: route.id,
      version,
      status: statusCode,
      duration_ms: Math.round((performance.now() - internal.startedAt) * 1000) / 1000,
      user: internal.user && userLabel(internal.user.key),
      api_key: internal.user?.keyId,
      client: internal.user?.client,
      cold_start: cold,
      round_trips: meter.roundTrips,
      read_units: meter.readUnits,
      write_units: meter.writeUnits,
      // Left out where there are none, as nearly everywhere: a line is billed by its bytes.
      key_requests: meter.keyRequests || undefined,
      files_stored: meter.filesStored || undefined,
      files_read: meter.filesRead || undefined,
      error: internal.error,
      reason: internal.reason,
    });
    cold = false;
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
