const hosts = ['127.0.0.1', 'localhost'];

/** Whether an origin, as browsers write it, is one of this machine's own. */
export function isLoopback(origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'http:' && hosts.includes(url.hostname) && url.origin === origin;
}

/** Whether an address is a page of a console that this machine serves, on whatever port: nothing else is ever led to. */
export function isConsolePage(address: string, page: string): boolean {
  const origin = URL.parse(address)?.origin ?? '';
  return isLoopback(origin) && address === `${origin}/console/${page}`;
}
