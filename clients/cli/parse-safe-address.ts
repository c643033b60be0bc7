const thisMachine = ['127.0.0.1', 'localhost', '[::1]'];

/** Parses an address to which secrets may be sent: by https, or on this machine. Undefined for others, for some of which the system starts programs. */
export function parseSafeAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLocal = url.protocol === 'http:' && thisMachine.includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? url : undefined;
}
