import { commandLinePath } from '../../../shared/console-config.ts';

const hosts = ['127.0.0.1', 'localhost'];

/** True if an origin, as browsers send it, belongs to this machine. */
export function isLoopback(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'http:' && hosts.includes(url.hostname) && url.origin === origin;
}

/** True if an address is a page of a console with one of these origins. The issuer redirects to no other address. */
export function isConsolePage(address: string, page: string, consoles: ReadonlySet<string>): boolean {
  const origin = URL.parse(address)?.origin ?? '';
  return consoles.has(origin) && address === `${origin}/console/${page}`;
}

/** True if an address is the one to which a sign-in of the command line returns, at any port of this machine (RFC 8252, section 7.3). */
export function isCommandLine(address: string): boolean {
  const origin = URL.parse(address)?.origin ?? '';
  return isLoopback(origin) && address === `${origin}${commandLinePath}`;
}
