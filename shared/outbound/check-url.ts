import { env } from '../env.ts';
import { Invalid } from '../errors.ts';
import { findUrlFault } from './url-rules.ts';

/** Hosts that the operator exempts from the rules for addresses, as `host:port`, with `*` for any port. */
export const allowedHosts = env('OUTBOUND_ALLOW').split(',').filter(Boolean);

/** Throws Invalid if the service must not request a URL that a client named. `loc` is its place in the request. */
export function checkUrl(url: string | undefined, ...loc: string[]): void {
  const fault = url === undefined ? undefined : findUrlFault(url, allowedHosts);
  if (fault) throw new Invalid([{ loc, ...fault }]);
}
