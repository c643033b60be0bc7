import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { hasMatchingEtag } from '../../domain/etag.ts';
import { stripSlashes } from '../../domain/strip-slashes.ts';
import { env } from '../../env.ts';
import type { Route } from '../../route.ts';
import type { Answered, Result, Streamed } from '../result.ts';
import { getHeader, type Middleware, type MiddlewareRequest } from './middleware.ts';

const allowedOrigins = new Set(env('CORS_ORIGINS').split(',').filter(Boolean));

const exposedHeaders =
  'ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, x-request-id, x-ignored-fields, x-did-you-mean, ' +
  'x-template-unknown, x-should-retry, idempotent-replay';

/** Returns the CORS headers for the configured origins (Fetch standard, section 3.3). `vary` makes caches key by origin. */
export function buildCorsHeaders(origin: string | undefined): Record<string, string> {
  if (allowedOrigins.size === 0) return {};
  if (!origin || !allowedOrigins.has(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  };
}

/** Builds an HTTP response with the headers that all responses have, including errors. */
export function buildHttpResponse(
  event: APIGatewayProxyEvent,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'cache-control': headers.etag ? 'private, no-cache' : 'no-store',
      'x-request-id': event.requestContext.requestId,
      ...buildCorsHeaders(getHeader(event, 'origin')),
      ...headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** Returns the path of the created resource. Keeps a stage or base path that precedes the route's path. */
function buildLocation({ event }: MiddlewareRequest, { path }: Route, created: string): string {
  const segments = stripSlashes(event.requestContext.path).split('/');
  return segments.slice(0, 1 - path.split('/').length).join('/') + created;
}

/**
 * Returns the link to the next page of the same query (RFC 8288), relative to the request. Repeats only the parameters that the
 * route reads, which are short. Other parameters could be 8 KB of `~`, which triple in length when encoded.
 */
function buildNextLink({ event }: MiddlewareRequest, cursor: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...event.request.query, cursor })) query.set(name, String(value));
  return `<?${query}>; rel="next"`;
}

/** Joins encoded names into one header value of at most 1,000 characters. */
function joinNames(names: string[]): string {
  let list = '';
  for (const name of names) {
    const longer = list ? `${list}, ${name}` : name;
    if (longer.length <= 1_000) list = longer;
  }
  return list;
}

/** Builds the HTTP response for a handler's result: 304 if the client has the current version, else `status`. */
export function buildSuccessResponse(
  request: MiddlewareRequest,
  route: Route,
  answer: Result,
  extra: Record<string, string> = {},
  status = 200,
): APIGatewayProxyResult {
  const { body, etag, created, next, undeclared = [] } = answer;
  const { event, internal } = request;
  // Keys may be any text.
  const ignored = joinNames(internal.ignored.map(encodeURIComponent));
  const meant = joinNames(internal.typos.map(({ field, meant }) => `${encodeURIComponent(field)}=${meant}`));
  const unknown = joinNames(undeclared.map(encodeURIComponent));
  const headers = {
    ...(etag ? { etag } : {}),
    ...(route.secret ? { 'cache-control': 'no-store' } : {}),
    ...(created ? { location: buildLocation(request, route, created) } : {}),
    ...(next ? { link: buildNextLink(request, next) } : {}),
    ...(ignored ? { 'x-ignored-fields': ignored } : {}),
    ...(meant ? { 'x-did-you-mean': meant } : {}),
    ...(unknown ? { 'x-template-unknown': unknown } : {}),
    ...extra,
  };
  const known = event.httpMethod === 'GET' && etag && hasMatchingEtag(getHeader(event, 'if-none-match'), etag);
  return known ? buildHttpResponse(event, 304, undefined, headers) : buildHttpResponse(event, status, body, headers);
}

/** Builds a response that is written while it is sent. Proxies should pass each event on without buffering. */
const buildStreamedResponse = (request: MiddlewareRequest, route: Route, { stream }: Streamed) => ({
  ...buildSuccessResponse(
    request,
    route,
    { body: undefined },
    {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    },
  ),
  body: Readable.from(stream, { objectMode: false }),
});

/** Turns the handler's result into an HTTP response. */
export const respond = (route: Route): Middleware => ({
  after(request) {
    const answer = request.response as Result | Answered | Streamed;
    if ('stream' in answer) {
      request.internal.getStreamError = answer.getError;
      request.response = buildStreamedResponse(request, route, answer);
    } else {
      const status = 'status' in answer ? answer.status : 200;
      request.response = buildSuccessResponse(request, route, answer, {}, status);
    }
  },
});
