import { validate } from './middleware/validate.ts';
import { type Handler, onion, type Run } from './onion.ts';
import type { Route } from './route.ts';

/** Loads the database's client when the first API key comes: with a token it never runs. */
const use = async (hash: string) => (await import('./store/api-key-use.ts')).use(hash);

/** The Lambda handler of a route that neither has a body nor reads the table. */
export const endpoint = <R extends Route & { body?: undefined }>(route: R, run: Run<R>): Handler =>
  onion(route, run, use, [validate(route)]);
