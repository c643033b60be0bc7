import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Returns, Route } from '../route.ts';
import type { FindKey } from './middleware/api-key.ts';
import { authenticate } from './middleware/authenticate.ts';
import { errorResponse } from './middleware/error-response.ts';
import type { Middleware, MiddlewareRequest } from './middleware/middleware.ts';
import { requestLog } from './middleware/request-log.ts';
import { respond } from './middleware/respond.ts';
import type { Request } from './request.ts';
import type { NotModified, Result, Streamed } from './result.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The business logic of a route: turns a valid request into a result, or throws an ApiError. */
export type Rule<R extends Route> = (request: Request<R>) => Promise<Result<Returns<R>> | NotModified>;

/** The business logic of a route that streams, if its client wants that. */
export type StreamRule<R extends Route> = (request: Request<R>) => Promise<Result<Returns<R>> | Streamed>;

/**
 * Wraps a rule in the middlewares that every route has and then `innerMiddlewares`, outermost first. middy runs them in
 * this order before the rule, and in reverse after it. `findKey` looks up the API key of a caller. `outermost` come before all others; `options`
 * are middy's own.
 */
export function buildHandler<R extends Route>(
  route: R,
  rule: Rule<R> | StreamRule<R>,
  findKey: FindKey,
  innerMiddlewares: Middleware[],
  { outermost = [], ...options }: { outermost?: Middleware[] } & Parameters<typeof middy>[1] = {},
): Handler {
  const runRule = (event: MiddlewareRequest['event']) => rule(event.request as Request<R>);
  const outerMiddlewares = [requestLog(route), errorResponse(route), respond(route), authenticate(route, findKey)];
  return middy(runRule as never, { ...options, timeoutEarlyInMillis: 0 }).use([
    ...outermost,
    ...outerMiddlewares,
    ...innerMiddlewares,
  ] as never) as unknown as Handler;
}
