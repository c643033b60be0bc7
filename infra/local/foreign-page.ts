import type { IncomingMessage } from 'node:http';
import { isLoopback } from './emulators/loopback.ts';

type RequestHead = Pick<IncomingMessage, 'headers'>;

/** True if a request names another machine, whose name DNS may give this one's address. Browsers then do not say which page sent it. */
export const isForAnotherMachine = ({ headers }: RequestHead): boolean => !isLoopback(`http://${headers.host}`);

/**
 * True if a page of another machine may have sent a request, unless it is one of `allowedOrigins`. Browsers send `Sec-Fetch-Site` with most
 * requests, and `Origin` with WebSockets and with what WebKit sends after a redirect or for a synchronous request. A page cannot
 * add `Authorization` to those: browsers first send a preflight request, which is refused. What they fetch for themselves, such as a certificate
 * that a page's server names, comes from `none`, as an address that the user opens does, but opens no page. With what they fetch ahead of
 * time they send `Sec-Purpose`, and do not say for which page. Programs send none of them.
 */
export function isFromForeignPage({ headers }: RequestHead, allowedOrigins: readonly string[]): boolean {
  const {
    origin = '',
    authorization,
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-purpose': purpose,
  } = headers;
  const isForBrowser = site === 'none' && mode !== 'navigate';
  const hasOnlyOrigin = origin !== '' && authorization === undefined;
  const isCrossSite = site === 'cross-site' || isForBrowser || purpose !== undefined || hasOnlyOrigin;
  return isCrossSite && !isLoopback(origin) && !allowedOrigins.includes(origin);
}
