import { toOpenAiError } from '../../domain/chat/openai-error.ts';
import { failures, InvalidToken, toApiError } from '../../errors.ts';
import type { Route } from '../../route.ts';
import { serializeError } from '../../telemetry/serialize-error.ts';
import type { Middleware } from './middleware.ts';
import { buildHttpResponse } from './respond.ts';

/** Turns errors into responses, and logs those with a status of 500 or more. */
export const errorResponse = (route: Route): Middleware => ({
  onError(request) {
    if (request.response !== undefined) return; // an inner middleware has responded
    const error = toApiError(request.error);
    const { status } = failures[error.failure];
    if (status >= 500) {
      console.error({ request_id: request.event.requestContext.requestId, error: serializeError(error) });
    }
    request.internal.error = error.detail[0]?.type;
    if (error instanceof InvalidToken) request.internal.reason = error.detail[0]?.msg;
    const body = { detail: error.detail, ...(route.hasOpenAiErrors && { error: toOpenAiError(error) }) };
    request.response = buildHttpResponse(request.event, status, body, error.headers);
  },
});
