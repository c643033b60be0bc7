import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { fetchAgain } from '../../infra/fetch-again.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer.ts';

/** Whether the tests run against a deployed stack (`BASE_URL`), with the tokens of two users (`TOKEN`, `OTHER_TOKEN`). */
export const deployed = inject('dataDir') === '';

export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else undefined. */
  body: T;
  text: string;
}

export interface Options {
  headers?: Record<string, string>;
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown;
  baseUrl?: string;
}

/** Sends one request, again while it is throttled. */
export async function send<T = unknown>(method: string, path: string, options: Options = {}): Promise<Reply<T>> {
  const { headers = {}, body, baseUrl = inject('baseUrl') } = options;
  const isPlain = typeof body === 'string' || body === undefined || body instanceof Uint8Array;
  const sent = isPlain ? (body as string | Uint8Array<ArrayBuffer> | undefined) : JSON.stringify(body);
  const response = await fetchAgain(baseUrl + path, {
    method,
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: sent ?? null,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) as T, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A token of the local issuer. */
export async function tokenFor(sub: string, ttl = 3600): Promise<string> {
  const issuer = await LocalIssuer.open(inject('dataDir'));
  return issuer.token({ sub, ttl });
}

/** Sends requests as one user. */
export interface Client {
  sub: string;
  token: string;
  /** Where it sends them. */
  baseUrl: string;
  get<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  put<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  delete<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
}

export function clientWith(sub: string, token: string, baseUrl = inject('baseUrl')): Client {
  const as = <T>(method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    send<T>(method, path, { body, baseUrl, headers: { authorization: `Bearer ${token}`, ...headers } });
  return {
    sub,
    token,
    baseUrl,
    get: (path, headers) => as('GET', path, undefined, headers),
    post: (path, body, headers) => as('POST', path, body, headers),
    put: (path, body, headers) => as('PUT', path, body, headers),
    delete: (path, headers) => as('DELETE', path, undefined, headers),
  };
}

/** Deletes what a user has. */
async function cleared(user: Client): Promise<Client> {
  for (;;) {
    const { body } = await user.get<{ id: string }[]>('/assistants');
    if (body.length === 0) return user;
    for (const { id } of body) await user.delete(`/assistants/${id}`);
  }
}

/** A user who has nothing and whom no other test knows; against a deployed stack, the one of `TOKEN`, cleared. */
export async function newUser(baseUrl?: string): Promise<Client> {
  if (deployed) return cleared(clientWith('', process.env.TOKEN ?? ''));
  const sub = `user-${randomUUID()}`;
  return clientWith(sub, await tokenFor(sub), baseUrl);
}

/** A second user. */
export async function otherUser(): Promise<Client> {
  return deployed ? clientWith('', process.env.OTHER_TOKEN ?? '') : newUser();
}

/** The fault types of an error, each with its place: `body.name: missing`. */
export function faults({ body }: Reply): string[] {
  const { detail } = body as { detail: { loc: string[]; type: string }[] };
  return detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`);
}
