import type { Route } from '../route.ts';
import { buildHandler, type Handler, type Rule } from './handler.ts';
import { validate } from './middleware/validate.ts';

/** Looks up an API key. Loads the DynamoDB client on first use, since requests with a token never need it. */
const findKey = async (hash: string) => (await import('../store/api-keys/api-key-lookup.ts')).findKey(hash);

/** Creates the Lambda handler of a route that has no body and seldom reads the table. */
export const endpoint = <R extends Route & { body?: undefined }>(route: R, rule: Rule<R>): Handler =>
  buildHandler(route, rule, findKey, [validate(route)]);
