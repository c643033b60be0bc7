import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Answer, Unchanged } from './answer.ts';
import type { Call } from './call.ts';
import type { FindKey } from './middleware/api-key.ts';
import { authenticate } from './middleware/authenticate.ts';
import { errorResponse } from './middleware/error-response.ts';
import type { Layer } from './middleware/onion.ts';
import { requestLog } from './middleware/request-log.ts';
import { respond } from './middleware/respond.ts';
import type { Returns, Route } from './route.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The rule of the business: from a valid call to its answer. Throws an ApiError where it says no. */
export type Run<R extends Route> = (call: Call<R>) => Promise<Answer<Returns<R>> | Unchanged>;

/**
 * middy around the rule, outermost layer first: those that every route has, and `inner` ones. Before the rule they run in this
 * order, after it in reverse. `findKey` looks up the API keys of callers.
 */
export function onion<R extends Route>(route: R, run: Run<R>, findKey: FindKey, inner: Layer[]): Handler {
  const rule = ({ call }: APIGatewayProxyEvent & { call: Call<R> }) => run(call);
  const outer = [requestLog(route), errorResponse(), respond(route), authenticate(route, findKey)];
  return middy(rule as never, { timeoutEarlyInMillis: 0 }).use([...outer, ...inner] as never) as unknown as Handler;
}
