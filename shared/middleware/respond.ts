import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Answer } from '../answer.ts';
import { sameTag } from '../domain/etag.ts';
import { env } from '../env.ts';
import type { Route } from '../route.ts';
import { header, type Layer, type Request } from './onion.ts';

const allowedOrigins = new Set(env('CORS_ORIGINS').split(',').filter(Boolean));

const exposedHeaders =
  'ETag, Link, Location, Retry-After, x-request-id, x-ignored-fields, x-did-you-mean, idempotent-replay';

/** CORS for the configured origins (the Fetch standard, section 3.3); `vary` keeps caches apart. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (allowedOrigins.size === 0) return {};
  if (!origin || !allowedOrigins.has(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  };
}

/** An HTTP response with the headers that every answer has, errors included. */
export function httpResponse(
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
      ...corsHeaders(header(event, 'origin')),
      ...headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** Where the created thing is: what stands before the route's path in the request's own, a stage or base path, stays. */
function location({ event }: Request, { path }: Route, created: string): string {
  const segments = event.requestContext.path.replace(/\/+$/, '').split('/');
  return segments.slice(0, 1 - path.split('/').length).join('/') + created;
}

/**
 * Returns the link to the next page of the same query (RFC 8288), relative to the request. It repeats only what the route
 * reads, which is short: whatever else was sent may be 8 KB of `~`, three times as long when it is encoded.
 */
function nextPage({ event }: Request, cursor: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...event.call.query, cursor })) query.set(name, String(value));
  return `<?${query}>; rel="next"`;
}

/** Joins encoded names into one header, no more of them than a header holds. */
function listed(names: string[]): string {
  let list = '';
  for (const name of names) {
    const longer = list ? `${list}, ${name}` : name;
    if (longer.length <= 1_000) list = longer;
  }
  return list;
}

/** The answer of a handler as HTTP: 304 where the client has it already, else 200. */
export function success(
  request: Request,
  route: Route,
  answer: Answer,
  extra: Record<string, string> = {},
): APIGatewayProxyResult {
  const { body, etag, created, next } = answer;
  const { event, internal } = request;
  // Encoded, since keys may be any text.
  const ignored = listed(internal.ignored.map(encodeURIComponent));
  const meant = listed(internal.typos.map(({ field, meant }) => `${encodeURIComponent(field)}=${meant}`));
  const headers = {
    ...(etag ? { etag } : {}),
    ...(route.secret ? { 'cache-control': 'no-store' } : {}),
    ...(created ? { location: location(request, route, created) } : {}),
    ...(next ? { link: nextPage(request, next) } : {}),
    ...(ignored ? { 'x-ignored-fields': ignored } : {}),
    ...(meant ? { 'x-did-you-mean': meant } : {}),
    ...extra,
  };
  const known = event.httpMethod === 'GET' && etag && sameTag(header(event, 'if-none-match'), etag);
  return known ? httpResponse(event, 304, undefined, headers) : httpResponse(event, 200, body, headers);
}

/** Turns what the handler returned into HTTP. */
export const respond = (route: Route): Layer => ({
  after(request) {
    request.response = success(request, route, request.response as Answer);
  },
});
