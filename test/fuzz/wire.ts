import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Raw HTTP request. */
export interface WireRequest {
  method: string;
  /** Path and query, encoded. */
  target: string;
  /** Header names are in lower case. */
  headers: [name: string, value: string][];
  body: Buffer;
}

/** Part of a request that is wrong on purpose. */
export type Flaw = 'credentials' | 'method' | 'path' | 'query' | 'header' | 'body';

export interface FuzzRequest extends WireRequest {
  flaws: Flaw[];
  /** `Authorization` header, with placeholders for secrets. */
  credentials: string;
}

export interface WireResponse {
  status: number;
  headers: Headers;
  body: string;
}

export type Sender = (request: WireRequest) => Promise<WireResponse>;

/** Sends requests to an API byte for byte, which `fetch` would normalize. Retries after 429. */
export const createHttpSender = (base: string): Sender =>
  async function send(wire): Promise<WireResponse> {
    const { method, target, headers, body } = wire;
    const { protocol, hostname, port, pathname } = new URL(base);
    const createRequest = protocol === 'https:' ? httpsRequest : httpRequest;
    const path = pathname.replace(/\/$/, '') + target;
    const length: [string, string][] = body.length > 0 ? [['content-length', String(body.length)]] : [];
    const answer = await new Promise<WireResponse>((resolve, reject) => {
      const request = createRequest({
        method,
        hostname,
        port,
        path,
        headers: [...headers, ['host', hostname], ...length].flat(),
      });
      request.on('error', reject);
      request.on('response', async (response) => {
        const { statusCode: status = 0, rawHeaders } = response;
        const responseHeaders = new Headers();
        for (let i = 0; i < rawHeaders.length; i += 2)
          responseHeaders.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
        resolve({ status, headers: responseHeaders, body: (await buffer(response)).toString() });
      });
      request.end(body);
    });
    if (answer.status !== 429) return answer;
    await sleep(100);
    return send(wire);
  };

const quoteForShell = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

const variables: Record<string, string> = {
  person: 'TOKEN',
  worker: 'API_KEY',
  other: 'OTHER_TOKEN',
  expired: 'EXPIRED_TOKEN',
};

/** Formats a request as a `curl` command, with tokens as shell variables. A body that no argument can hold is encoded in base64. */
export function toCurl({ method, target, headers, body, credentials }: FuzzRequest): string {
  const secret = credentials.replace(/~(\w+)\.0~/g, (_, name) => `\${${variables[name]}}`);
  const options = headers.map(([name, value]) =>
    name === 'authorization' ? `-H "authorization: ${secret}"` : `-H ${quoteForShell(`${name}: ${value}`)}`,
  );
  const text = body.toString();
  const isText =
    Buffer.from(text).equals(body) && !text.includes('\0') && !text.startsWith('@') && body.length < 100_000;
  const data = body.length === 0 ? [] : [isText ? `--data-binary ${quoteForShell(text)}` : '--data-binary @-'];
  const pipe = body.length === 0 || isText ? '' : `base64 -d <<< ${body.toString('base64')} | `;
  return `${pipe}curl --path-as-is -i -X ${method} ${[...options, ...data].join(' ')} "$BASE_URL"${quoteForShell(target)}`;
}
