import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { authenticate } from './middleware/authenticate.ts';
import { jsonBody } from './middleware/body.ts';
import { errorResponse } from './middleware/error-response.ts';
import { idempotency } from './middleware/idempotency.ts';
import type { Layer } from './middleware/onion.ts';
import { requestLog } from './middleware/request-log.ts';
import { respond } from './middleware/respond.ts';
import { validate } from './middleware/validate.ts';
import type { Returns, Route } from './route.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The rule of the business: from a valid call to its answer. Throws an ApiError where it says no. */
type Run<R extends Route> = (call: Call<R>) => Promise<Answer<Returns<R>>>;

/** middy around the rule, outermost layer first. Before the rule they run in this order, after it in reverse. */
function onion<R extends Route>(run: Run<R>, layers: Layer[]): Handler {
  const rule = ({ call }: APIGatewayProxyEvent & { call: Call<R> }) => run(call);
  return middy(rule as never, { timeoutEarlyInMillis: 0 }).use(layers as never) as unknown as Handler;
}

/** The Lambda handler of a route whose requests have no body. */
export const endpoint = <R extends Route & { body?: undefined }>(route: R, run: Run<R>): Handler =>
  onion(run, [requestLog(route), errorResponse(), respond(route), authenticate(), validate(route)]);

/** The Lambda handler of a route with a JSON body. */
export const jsonEndpoint = <R extends Route & { body: object }>(route: R, run: Run<R>): Handler =>
  onion(run, [
    requestLog(route),
    errorResponse(),
    respond(route),
    authenticate(),
    jsonBody(route),
    validate(route),
    ...(route.method === 'POST' ? [idempotency(route)] : []),
  ]);
