import { jsonBody } from './middleware/body.ts';
import { idempotency } from './middleware/idempotency.ts';
import { validate } from './middleware/validate.ts';
import { type Handler, onion, type Run } from './onion.ts';
import type { Route } from './route.ts';
import { use } from './store/api-key-use.ts';

/** The Lambda handler of a route whose requests have no body. */
export const endpoint = <R extends Route & { body?: undefined }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, [validate(route)]);

/** The Lambda handler of a route with a JSON body. */
export const jsonEndpoint = <R extends Route & { body: object }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, [jsonBody(route), validate(route), ...(route.method === 'POST' ? [idempotency(route)] : [])]);
