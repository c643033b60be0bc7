import { Readable } from 'node:stream';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { Quota } from '../quotas.ts';
import type { Route } from '../route.ts';
import { findKey } from '../store/api-keys/api-key-lookup.ts';
import { buildCountedMiddlewares } from './endpoint.ts';
import { buildHandler, type Handler, type StreamRule } from './handler.ts';
import { jsonBody } from './middleware/body.ts';
import type { Middleware, MiddlewareRequest } from './middleware/middleware.ts';

/** Sends a whole body in one piece. middy would cut a long text into pieces, and with it characters of two code units. */
const keepWhole = (): Middleware => {
  const wrap = ({ response }: MiddlewareRequest) => {
    const answer = response as { body: unknown };
    if (typeof answer.body === 'string') answer.body = Readable.from([Buffer.from(answer.body)]);
  };
  return { after: wrap, onError: wrap };
};

/** Creates the Lambda handler of a route with a JSON body that may stream its response, and counts for a quota. */
export const streamEndpoint = <R extends Route & { body: object; streamSeconds: number; quota: Quota }>(
  route: R,
  rule: StreamRule<R>,
): Handler =>
  buildHandler(route, rule, findKey, buildCountedMiddlewares(jsonBody(route), route), {
    executionMode: executionModeStreamifyResponse,
    outermost: [keepWhole()],
  });
