import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { inject } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { fetchWithRetry } from '../../infra/terminal/fetch-with-retry.ts';

/** True if the tests run against a deployed stack (`BASE_URL`), with the tokens of two users (`TOKEN`, `OTHER_TOKEN`). */
export const deployed = inject('dataDir') === '';

export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  /** Parsed JSON, or undefined if the text is not JSON. */
  body: T;
  text: string;
}

export interface Options {
  headers?: Record<string, string>;
  /** Text or bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  baseUrl?: string;
}

/** Sends one request, and retries it while it is throttled. */
export async function send<T = unknown>(method: string, path: string, options: Options = {}): Promise<Reply<T>> {
  const { headers = {}, body, baseUrl = inject('baseUrl') } = options;
  const isPlain = typeof body === 'string' || body === undefined || body instanceof Uint8Array;
  const sent = isPlain ? (body as string | Uint8Array<ArrayBuffer> | undefined) : JSON.stringify(body);
  const response = await fetchWithRetry(baseUrl + path, {
    method,
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: sent ?? null,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text) as T, text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates a token of the local issuer. */
export async function createToken(sub: string, ttl = 3600, claims: JWTPayload = {}): Promise<string> {
  const issuer = await LocalIssuer.open(inject('dataDir'));
  return issuer.token({ sub, ttl, claims });
}

/** A client that sends requests as one user. */
export interface Client {
  sub: string;
  token: string;
  baseUrl: string;
  /** Headers of every request, in addition to the token. */
  headers: Record<string, string>;
  get<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  put<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  delete<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
}

/** Creates a client for a token. It sends `ownHeaders` with each request. */
export function createClient(
  sub: string,
  token: string,
  baseUrl = inject('baseUrl'),
  ownHeaders: Record<string, string> = {},
): Client {
  const as = <T>(method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    send<T>(method, path, { body, baseUrl, headers: { authorization: `Bearer ${token}`, ...ownHeaders, ...headers } });
  return {
    sub,
    token,
    baseUrl,
    headers: ownHeaders,
    get: (path, headers) => as('GET', path, undefined, headers),
    post: (path, body, headers) => as('POST', path, body, headers),
    put: (path, body, headers) => as('PUT', path, body, headers),
    delete: (path, headers) => as('DELETE', path, undefined, headers),
  };
}

/** Deletes all assistants of a user. */
async function deleteAssistants(user: Client): Promise<Client> {
  for (;;) {
    const { body } = await user.get<{ id: string }[]>('/assistants');
    if (body.length === 0) return user;
    for (const { id } of body) await user.delete(`/assistants/${id}`);
  }
}

/** Creates a user without data. Against a deployed stack, returns the user of `TOKEN` after deleting its assistants. */
export async function createUser(baseUrl?: string): Promise<Client> {
  if (deployed) return deleteAssistants(createClient('', process.env.TOKEN ?? ''));
  const sub = `user-${randomUUID()}`;
  return createClient(sub, await createToken(sub), baseUrl);
}

/** Creates a second user. */
export async function createOtherUser(): Promise<Client> {
  return deployed ? createClient('', process.env.OTHER_TOKEN ?? '') : createUser();
}

/** Lists the faults of an error as `location: type`, for example `body.name: missing`. */
export function listFaults({ body }: Reply): string[] {
  const { detail } = body as { detail: { loc: string[]; type: string }[] };
  return detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`);
}
