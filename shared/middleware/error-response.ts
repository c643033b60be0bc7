import { ApiError, failures, Internal, InvalidToken } from '../errors.ts';
import type { Layer } from './onion.ts';
import { httpResponse } from './respond.ts';

/** Name, message and stack of an error and its causes: nothing of the request. */
export const described = (error: unknown): unknown =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack, cause: error.cause && described(error.cause) }
    : { message: String(error) };

/** The one place where errors become answers, and where those that are not the caller's are logged. */
export const errorResponse = (): Layer => ({
  onError(request) {
    if (request.response !== undefined) return; // an inner layer has answered
    const error = request.error instanceof ApiError ? request.error : new Internal({ cause: request.error });
    const { status } = failures[error.failure];
    if (status >= 500) {
      console.error({ request_id: request.event.requestContext.requestId, error: described(error) });
    }
    request.internal.error = error.detail[0]?.type;
    if (error instanceof InvalidToken) request.internal.reason = error.detail[0]?.msg;
    request.response = httpResponse(request.event, status, { detail: error.detail }, error.headers);
  },
});
