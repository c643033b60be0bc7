import { isIP } from 'node:net';
import type { Fault } from '../errors.ts';

/**
 * Names that only a private network or the machine itself resolves. Requests to them would fail anyway, but this error
 * comes earlier.
 */
const privateName = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)\.?$/;

const toPort = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** True if the operator allows a URL in spite of the rules. `allowed` has entries `host:port`, with `*` for any port. */
export const isExempt = (url: URL, allowed: readonly string[]): boolean =>
  [`${url.hostname}:${toPort(url)}`, `${url.hostname}:*`].some((entry) => allowed.includes(entry));

type UrlFault = Pick<Fault, 'type' | 'msg'>;

/**
 * Returns why the service must not request a URL that a client named, if so. Addresses that its name resolves to are
 * checked when connecting (agents.ts).
 */
export function findUrlFault(text: string, allowed: readonly string[]): UrlFault | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return { type: 'url_parsing', msg: 'Input should be a URL such as https://example.com/hook' };
  if (url.username || url.password)
    return { type: 'url_parsing', msg: 'Input should be a URL without a user name: send credentials in `headers`' };
  if (isExempt(url, allowed)) return undefined;
  if (url.protocol !== 'https:') return { type: 'url_parsing', msg: 'Input should start with https://' };
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || privateName.test(url.hostname) || !url.hostname.includes('.'))
    return { type: 'forbidden_address', msg: 'The host should be a public name, not an address or a private name' };
  const port = toPort(url);
  if (port !== 443 && port < 1024)
    return { type: 'forbidden_address', msg: 'The port should be 443, or 1024 and above' };
  return undefined;
}
