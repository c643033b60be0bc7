import { type HeadersOptions, mergeHeaders } from 'openapi-fetch';
import { type Api, createApi } from './api.ts';
import { type CompletionPiece, streamCompletion } from './completion.ts';
import { type ListItem, type ListOptions, type ListPath, listAll } from './pagination.ts';
import type { components } from './schema.d.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** URL of the API, as the stack or `npm start` prints it. */
  baseUrl: string;
}

/** Client of the API. Every method throws ApiError if the API returns an error, or no response arrives. */
export interface Client extends Api {
  /** Yields every item of a list, page by page: `for await (const call of client.list('/logs/chat-sessions'))`. */
  list<Path extends ListPath>(path: Path, options?: ListOptions<Path>): AsyncGenerator<ListItem<Path>>;
  /** Asks an assistant, and yields its answer piece by piece. */
  streamCompletion(
    body: components['schemas']['ChatRequest'],
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<CompletionPiece>;
}

/** POSTs without an `Idempotency-Key`: they change nothing, or would run a model or tool again. */
export const postsWithoutKey: readonly string[] = [
  '/assistants/{assistant_id}/runtime-config',
  '/assistants/{assistant_id}/search',
  '/assistants/{assistant_id}/tools/{tool_name}/call',
  '/assistants/{assistant_id}/versions/{version}/restore',
  '/assistants/{assistant_id}/web-calls',
  '/chat/completions',
  '/mcp',
  '/search',
  '/search/only',
  '/vision/analyze',
];

type Post = (path: string, init?: { headers?: HeadersOptions }) => Promise<unknown>;

/** Gives each POST that takes one an `Idempotency-Key`, unless the caller has. */
const addIdempotencyKeys =
  (post: Post): Post =>
  (path, init) => {
    if (postsWithoutKey.includes(path)) return post(path, init);
    return post(path, { ...init, headers: mergeHeaders({ 'idempotency-key': crypto.randomUUID() }, init?.headers) });
  };

/** Throws TypeError unless it is an address of an API. Returns it without a trailing slash. */
function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new TypeError('baseUrl must be the address of the API, for example https://api.example.com');
  return baseUrl.replace(/\/+$/, '');
}

/**
 * Creates a client. It sends the token to the origin of `baseUrl` only, limits the time of each attempt, and retries what may be repeated.
 */
export function createClient({ baseUrl, ...options }: ClientOptions): Client {
  const transport = createTransport(options);
  const { POST, ...others } = createApi({ baseUrl: checkBaseUrl(baseUrl), transport });
  const api: Api = { ...others, POST: addIdempotencyKeys(POST as unknown as Post) as unknown as Api['POST'] };
  return {
    ...api,
    list: (path, options) => listAll(api, path, options),
    streamCompletion: (body, options) => streamCompletion(api, body, options),
  };
}
