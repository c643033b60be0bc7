import type { IncomingMessage } from 'node:http';
import { isLoopback } from './emulators/loopback.ts';

/**
 * True if a page of another machine sent a request, except one of `allowedOrigins`. Browsers name the site of each request to this machine,
 * and of a WebSocket the origin; to names of other machines, which DNS may give this one's address, they name neither. Programs do not.
 */
export function isFromForeignPage(
  { headers }: Pick<IncomingMessage, 'headers'>,
  allowedOrigins: readonly string[],
): boolean {
  const { host, origin = '', upgrade, 'sec-fetch-site': site } = headers;
  const isCrossSite = site === 'cross-site' || (upgrade !== undefined && origin !== '');
  const isForeign = isCrossSite && !isLoopback(origin) && !allowedOrigins.includes(origin);
  return isForeign || !isLoopback(`http://${host}`);
}
