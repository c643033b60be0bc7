import type { IncomingMessage } from 'node:http';
import { isLoopback } from './emulators/loopback.ts';

type RequestHead = Pick<IncomingMessage, 'headers'>;

/** True if a request names another machine, whose name DNS may give this one's address. Browsers then do not say which page sent it. */
export const isForAnotherMachine = ({ headers }: RequestHead): boolean => !isLoopback(`http://${headers.host}`);

/**
 * True if a page of another machine sent a request, except one of `allowedOrigins`. Browsers name the site of each request, and of a
 * WebSocket the origin; of a page that they fetch before anybody asks for it, neither. Programs do not.
 */
export function isFromForeignPage({ headers }: RequestHead, allowedOrigins: readonly string[]): boolean {
  const { origin = '', upgrade, 'sec-fetch-site': site, 'sec-purpose': purpose } = headers;
  const isCrossSite = site === 'cross-site' || purpose !== undefined || (upgrade !== undefined && origin !== '');
  return isCrossSite && !isLoopback(origin) && !allowedOrigins.includes(origin);
}
