import { jsonBody } from './middleware/body.ts';
import { idempotency } from './middleware/idempotency.ts';
import { multipartBody } from './middleware/multipart.ts';
import type { Layer } from './middleware/onion.ts';
import { validate } from './middleware/validate.ts';
import { type Handler, onion, type Run } from './onion.ts';
import { isKeyed, type Route } from './route.ts';
import { use } from './store/api-key-use.ts';

/** The Lambda handler of a route whose requests have no body. */
export const endpoint = <R extends Route & { body?: undefined }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, [validate(route)]);

/** What stands around the rule of a route with a body, however that is read. */
const around = (body: Layer, route: Route) => [body, validate(route), ...(isKeyed(route) ? [idempotency(route)] : [])];

/** The Lambda handler of a route with a JSON body. */
export const jsonEndpoint = <R extends Route & { body: object }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, around(jsonBody(route), route));

/** The Lambda handler of a route whose body is a form with a file. */
export const multipartEndpoint = <R extends Route & { body: object }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, around(multipartBody(), route));
