import { Conflict } from '../../errors.ts';
import type { Route } from '../../route.ts';
import { AlreadyAnswered, buildResultWrite, throwIfAnswered } from '../../store/table/idempotency-records.ts';
import { getHeader, type Middleware } from './middleware.ts';
import { buildSuccessResponse } from './respond.ts';

const headerName = 'idempotency-key';

/**
 * Makes a POST safe to retry: within 24 hours, the same request with the same `Idempotency-Key` gets the first successful response
 * again (draft-ietf-httpapi-idempotency-key-header). The handler passes `rememberResult(result)` to its store. `validate` has
 * checked the key.
 */
export const idempotency = (route: Route): Middleware => ({
  before({ event }) {
    const { request } = event;
    const key = getHeader(event, headerName);
    if (key === undefined) return;
    const { params, body, user } = request;
    request.hasIdempotencyKey = true;
    const record = { owner: user.key, route: route.id, key, request: { params, body } };
    request.rememberResult = (answer) => [buildResultWrite(record, answer)];
    request.replay = () => throwIfAnswered(record);
  },
  onError(request) {
    const { error } = request;
    if (!(error instanceof AlreadyAnswered)) return;
    if (error.isSameRequest)
      request.response = buildSuccessResponse(request, route, error.result, { 'idempotent-replay': 'true' });
    else request.error = new Conflict(['header', headerName], 'This key was used for another request: use a new one');
  },
});
