import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it goes over the wire. */
export interface Wire {
  method: string;
  /** Path and query, encoded. */
  target: string;
  /** Names in lower case. */
  headers: [name: string, value: string][];
  body: Buffer;
}

/** What is wrong with a request on purpose. */
export type Flaw = 'credentials' | 'method' | 'path' | 'query' | 'header' | 'body';

export interface Sent extends Wire {
  flaws: Flaw[];
  /** Its `Authorization`, the secrets in it as placeholders. */
  credentials: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

export type Sender = (request: Wire) => Promise<Answer>;

/** Sends requests to an API at an address, as they are: `fetch` would mend them. Again, while they are throttled. */
export const over = (base: string): Sender =>
  async function send(wire): Promise<Answer> {
    const { method, target, headers, body } = wire;
    const { protocol, hostname, port, pathname } = new URL(base);
    const ask = protocol === 'https:' ? askHttps : askHttp;
    const path = pathname.replace(/\/$/, '') + target;
    const length: [string, string][] = body.length > 0 ? [['content-length', String(body.length)]] : [];
    const answer = await new Promise<Answer>((resolve, reject) => {
      const request = ask({
        method,
        hostname,
        port,
        path,
        headers: [...headers, ['host', hostname], ...length].flat(),
      });
      request.on('error', reject);
      request.on('response', async (response) => {
        const { statusCode: status = 0, rawHeaders } = response;
        const told = new Headers();
        for (let i = 0; i < rawHeaders.length; i += 2) told.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
        resolve({ status, headers: told, body: (await buffer(response)).toString() });
      });
      request.end(body);
    });
    if (answer.status !== 429) return answer;
    await sleep(100);
    return send(wire);
  };

const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

const variables: Record<string, string> = {
  person: 'TOKEN',
  worker: 'API_KEY',
  other: 'OTHER_TOKEN',
  expired: 'EXPIRED_TOKEN',
};

/** A request for a shell, its token as `$TOKEN`. Bytes that no argument can hold go through base64. */
export function curlOf({ method, target, headers, body, credentials }: Sent): string {
  const secret = credentials.replace(/~(\w+)\.0~/g, (_, name) => `\${${variables[name]}}`);
  const options = headers.map(([name, value]) =>
    name === 'authorization' ? `-H "authorization: ${secret}"` : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const text = body.toString();
  const isText =
    Buffer.from(text).equals(body) && !text.includes('\0') && !text.startsWith('@') && body.length < 100_000;
  const data = body.length === 0 ? [] : [isText ? `--data-binary ${quoted(text)}` : '--data-binary @-'];
  const pipe = body.length === 0 || isText ? '' : `base64 -d <<< ${body.toString('base64')} | `;
  return `${pipe}curl --path-as-is -i -X ${method} ${[...options, ...data].join(' ')} "$BASE_URL"${quoted(target)}`;
}
