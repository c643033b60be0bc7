import { violations } from './contract.ts';
import { type Operation, operations } from './document.ts';
import { type Answer, curlOf, type Sender, type Sent } from './wire.ts';

export interface Call {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON; bytes as they are. */
  body?: unknown;
}

export interface Reply<T> extends Answer {
  json: T;
}

/** Calls operations by their ids as one user, and holds each answer against the document. */
export class Client {
  readonly #send: Sender;
  readonly #token: string;

  constructor(send: Sender, token: string) {
    this.#send = send;
    this.#token = token;
  }

  /** Throws where the answer is not as the document says, or has another status. */
  async call<T = unknown>(
    id: string,
    { params = {}, query = {}, headers = {}, body }: Call = {},
    expected = 200,
  ): Promise<Reply<T>> {
    const operation = operations.find((one) => one.id === id) as Operation;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const sent: Sent = {
      method: operation.method,
      target: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
      headers: Object.entries({
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        ...headers,
      }),
      body: Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      flaws: [],
      credentials: 'Bearer ~person.0~',
    };
    const answer = await this.#send(sent);
    const found = violations(operation, sent, answer);
    if (answer.status !== expected) found.unshift(`${expected} expected, got ${answer.status}`);
    if (found.length > 0) throw new Error([...found, curlOf(sent), answer.body.slice(0, 600)].join('\n'));
    return { ...answer, json: (answer.body === '' ? undefined : JSON.parse(answer.body)) as T };
  }

  /** The pages of a listing, by `next_cursor` or the `Link` header, whichever it has. */
  async *pages<T extends object>(id: string, call: Call): AsyncGenerator<T> {
    let cursor: string | null | undefined;
    do {
      const query = { ...call.query, ...(cursor && { cursor }) };
      const { json, headers }: Reply<T> = await this.call(id, { ...call, query });
      yield json as Awaited<T>;
      const [, link = ''] = /<\?([^>]*)>/.exec(headers.get('link') ?? '') ?? [];
      const { data } = json as { data?: { next_cursor?: string | null } };
      cursor = data?.next_cursor ?? new URLSearchParams(link).get('cursor');
    } while (cursor);
  }
}
