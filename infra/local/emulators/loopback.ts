const hosts = ['127.0.0.1', 'localhost'];

/** Whether an origin, as browsers write it, is one of this machine's own. */
export function isLoopback(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'http:' && hosts.includes(url.hostname) && url.origin === origin;
}

/** True if an address is a page of one of these consoles, by their origins: browsers are sent to no other. */
export function isConsolePage(address: string, page: string, consoles: ReadonlySet<string>): boolean {
  const origin = URL.parse(address)?.origin ?? '';
  return consoles.has(origin) && address === `${origin}/console/${page}`;
}
