import { findViolations } from './contract.ts';
import { type Operation, operations } from './document.ts';
import { type FuzzRequest, type Sender, toCurl, type WireResponse } from './wire.ts';

export interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON. A Buffer is sent unchanged. */
  body?: unknown;
}

export interface JsonResponse<T> extends WireResponse {
  json: T;
}

/** Calls operations by id as one user and checks each response against the OpenAPI document. */
export class Client {
  readonly #send: Sender;
  readonly #token: string;

  constructor(send: Sender, token: string) {
    this.#send = send;
    this.#token = token;
  }

  /** Throws if the response violates the document or has another status. */
  async call<T = unknown>(
    id: string,
    { params = {}, query = {}, headers = {}, body }: OperationInput = {},
    expected = 200,
  ): Promise<JsonResponse<T>> {
    const operation = operations.find((one) => one.id === id) as Operation;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const sent: FuzzRequest = {
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
    const found = findViolations(operation, sent, answer);
    if (answer.status !== expected) found.unshift(`expected ${expected}, got ${answer.status}`);
    if (found.length > 0) throw new Error([...found, toCurl(sent), answer.body.slice(0, 600)].join('\n'));
    return { ...answer, json: (answer.body === '' ? undefined : JSON.parse(answer.body)) as T };
  }

  /** Yields the pages of a list. Follows `next_cursor` or the `Link` header. */
  async *listPages<T extends object>(id: string, input: OperationInput): AsyncGenerator<T> {
    let cursor: string | null | undefined;
    do {
      const query = { ...input.query, ...(cursor && { cursor }) };
      const { json, headers }: JsonResponse<T> = await this.call(id, { ...input, query });
      yield json as Awaited<T>;
      const [, link = ''] = /<\?([^>]*)>/.exec(headers.get('link') ?? '') ?? [];
      const { data } = json as { data?: { next_cursor?: string | null } };
      cursor = data?.next_cursor ?? new URLSearchParams(link).get('cursor');
    } while (cursor);
  }
}
