import type { Quota } from '../quotas.ts';
import { type Route, supportsIdempotencyKey } from '../route.ts';
import { findKey } from '../store/api-keys/api-key-lookup.ts';
import { buildHandler, type Handler, type Rule } from './handler.ts';
import { jsonBody } from './middleware/body.ts';
import { idempotency } from './middleware/idempotency.ts';
import { journal } from './middleware/journal.ts';
import type { Middleware } from './middleware/middleware.ts';
import { multipartBody } from './middleware/multipart.ts';
import { countRequests } from './middleware/quota.ts';
import { validate } from './middleware/validate.ts';

/** Creates the Lambda handler of a route that only reads. */
export const endpoint = <R extends Route & { body?: undefined; tells?: undefined }>(route: R, rule: Rule<R>): Handler =>
  buildHandler(route, rule, findKey, [validate(route)]);

/** Creates the Lambda handler of a route that changes something and has no request body. */
export const writeEndpoint = <R extends Route & { body?: undefined; tells: object }>(
  route: R,
  rule: Rule<R>,
): Handler => buildHandler(route, rule, findKey, [validate(route), journal()]);

/** Lists the innermost middlewares of a route with a body, given the one that reads the body. */
const buildBodyMiddlewares = (readBody: Middleware, route: Route) => [
  readBody,
  validate(route),
  ...(route.tells ? [journal()] : []),
  ...(supportsIdempotencyKey(route) ? [idempotency(route)] : []),
];

/** Lists the innermost middlewares of a route with a body that counts for a quota. */
export const buildCountedMiddlewares = (readBody: Middleware, route: Route & { quota: Quota }) => [
  ...buildBodyMiddlewares(readBody, route),
  countRequests(route),
];

/** Creates the Lambda handler of a route with a JSON body. */
export const jsonEndpoint = <R extends Route & { body: object; quota?: undefined }>(route: R, rule: Rule<R>): Handler =>
  buildHandler(route, rule, findKey, buildBodyMiddlewares(jsonBody(route), route));

/** Creates the Lambda handler of a route with a JSON body that counts for a quota. */
export const countedEndpoint = <R extends Route & { body: object; quota: Quota }>(route: R, rule: Rule<R>): Handler =>
  buildHandler(route, rule, findKey, buildCountedMiddlewares(jsonBody(route), route));

/** Creates the Lambda handler of a route that receives a form with a file, and counts for a quota. */
export const multipartEndpoint = <R extends Route & { body: object; quota: Quota }>(route: R, rule: Rule<R>): Handler =>
  buildHandler(route, rule, findKey, buildCountedMiddlewares(multipartBody(), route));
