import { stripSlashes } from '../domain/strip-slashes.ts';
import type { Route } from '../route.ts';
import { getHeader, type MiddlewareRequest } from './middleware/middleware.ts';

/** Returns the address of this API as the client reached it: with the stage on its own domain, without on a custom one. */
export function getOwnUrl(event: MiddlewareRequest['event'], { path }: Pick<Route, 'path'>): string {
  const { domainName, path: fullPath } = event.requestContext;
  const base = stripSlashes(fullPath).slice(0, -path.length);
  const protocol = getHeader(event, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  return `${protocol}://${domainName}${base}`;
}
