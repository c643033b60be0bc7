import { ApiError, failures, Internal, InvalidToken } from '../../errors.ts';
import type { Middleware } from './middleware.ts';
import { buildHttpResponse } from './respond.ts';

/** Returns the name, message and stack of an error and its causes, for the log. Contains no request data. */
export const serializeError = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        cause: error.cause && serializeError(error.cause),
      }
    : { message: String(error) };

/** Turns errors into responses, and logs those with a status of 500 or more. */
export const errorResponse = (): Middleware => ({
  onError(request) {
    if (request.response !== undefined) return; // an inner middleware has responded
    const error = request.error instanceof ApiError ? request.error : new Internal({ cause: request.error });
    const { status } = failures[error.failure];
    if (status >= 500) {
      console.error({ request_id: request.event.requestContext.requestId, error: serializeError(error) });
    }
    request.internal.error = error.detail[0]?.type;
    if (error instanceof InvalidToken) request.internal.reason = error.detail[0]?.msg;
    request.response = buildHttpResponse(request.event, status, { detail: error.detail }, error.headers);
  },
});
