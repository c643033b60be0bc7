import createFetchClient, { defaultPathSerializer, type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { ApiError, createUnreachableError, parseFaults } from './api-error.ts';
import type { paths } from './schema.d.ts';

type HttpMethod = 'get' | 'put' | 'post' | 'delete';

/** Paths of the API that have a method. */
export type PathsWith<Method extends HttpMethod> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, { responses: unknown }> ? Path : never;
}[keyof paths];

/** Response of a request that succeeded. */
export interface ApiResponse<Data> {
  data: Data;
  headers: Headers;
  /** Entity tag, for `If-Match`. Undefined if the response has none. */
  etag: string | undefined;
}

type Loose<Init> = Init & { [option: string]: unknown };
type InitArguments<Init> = undefined extends Init
  ? [init?: Loose<Init>]
  : Record<never, never> extends Init
    ? [init?: Loose<Init>]
    : [init: Loose<Init>];

type Operation<Path extends keyof paths, Method extends HttpMethod> = paths[Path][Method] extends infer Found extends
  Record<string, unknown>
  ? Found
  : never;
type Data<Path extends keyof paths, Method extends HttpMethod, Init> = Exclude<
  FetchResponse<Operation<Path, Method>, Init, `${string}/${string}`>['data'],
  undefined
>;

/**
 * Function that sends a request of one method. It throws ApiError if the API returns an error, or no response arrives, and RangeError for
 * a path parameter that is empty, `.` or `..`.
 */
export type ApiMethod<Method extends HttpMethod> = <
  Path extends PathsWith<Method>,
  Init extends MaybeOptionalInit<paths[Path], Method>,
>(
  path: Path,
  ...init: InitArguments<Init>
) => Promise<ApiResponse<Data<Path, Method, Init>>>;

/** The API, typed by its OpenAPI document: `api.GET('/assistants', { params: { query: { limit: 10 } } })`. */
export interface Api {
  GET: ApiMethod<'get'>;
  PUT: ApiMethod<'put'>;
  POST: ApiMethod<'post'>;
  DELETE: ApiMethod<'delete'>;
}

/** Function that sends a request, such as `fetch`. */
export type Transport = (request: Request) => Promise<Response>;

export interface ApiOptions {
  /** URL of the API. */
  baseUrl: string;
  /** Function that sends the requests, each with its own credentials. */
  transport: Transport;
}

/** True for an error of `fetch`, or of reading its response: no connection, no JSON, or out of time. */
const isTransportError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException;

type Send = (path: string, init?: RequestInit) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Returns the data and headers of a response. Throws ApiError if the API returned an error, or no JSON. */
const unwrapResponses =
  (baseUrl: string, send: Send) =>
  async (path: string, init?: RequestInit): Promise<ApiResponse<unknown>> => {
    try {
      const { data, error, response } = await send(path, init);
      if (!response.ok) throw new ApiError(response.status, parseFaults(error), response.headers);
      const { headers } = response;
      return { data, headers, etag: headers.get('etag') ?? undefined };
    } catch (error) {
      throw isTransportError(error) && !init?.signal?.aborted ? createUnreachableError(error, baseUrl) : error;
    }
  };

/** Fills in a path. Throws RangeError for a parameter that would change it. */
function fillPath(path: string, values: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(values))
    if (['', '.', '..'].includes(String(value))) throw new RangeError(`${name} should not be '${value}'`);
  return defaultPathSerializer(path, values);
}

/** Creates the typed API over a transport, which is responsible for credentials, retries and timeouts. */
export function createApi({ baseUrl, transport }: ApiOptions): Api {
  const http = createFetchClient<paths>({ baseUrl, fetch: transport, pathSerializer: fillPath });
  const bind = <Method extends keyof Api>(method: Method) =>
    unwrapResponses(baseUrl, http[method] as Send) as Api[Method];
  return { GET: bind('GET'), PUT: bind('PUT'), POST: bind('POST'), DELETE: bind('DELETE') };
}
