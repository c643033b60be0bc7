import { meter, resetMeter } from '../meter.ts';
import type { Route } from '../route.ts';
import type { APIGatewayProxyResult, Layer, Request } from './onion.ts';

let cold = true;

/** One structured line per request: never a body, a token or a user's name. */
export const requestLog = (route: Route): Layer => {
  const log = (request: Request) => {
    const { event, internal } = request;
    const { statusCode } = request.response as APIGatewayProxyResult;
    console.info({
      request_id: event.requestContext.requestId,
      route: route.id,
      status: statusCode,
      duration_ms: Math.round((performance.now() - internal.startedAt) * 1000) / 1000,
      user: internal.user?.key.slice(0, 12),
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
    });
    cold = false;
  };
  return {
    before({ internal }) {
      internal.startedAt = performance.now();
      internal.faults = [];
      internal.ignored = [];
      resetMeter();
    },
    after: log,
    onError: log,
  };
};
