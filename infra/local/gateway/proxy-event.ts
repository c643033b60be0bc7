import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Match } from './router.ts';

/** The target of a request. */
export interface Address {
  /** Path as the client sent it. */
  fullPath: string;
  /** Path without the stage's name. */
  path: string;
  query: URLSearchParams;
}

/**
 * Parses a request's target. The stage's name at its start is optional: execute-api requires it, a custom domain omits it.
 * Does not use `URL`, which would resolve dots in the path. API Gateway takes them literally.
 */
export function parseAddress(url: string, stage: string): Address {
  const [fullPath = '/', search = ''] = url.split(/\?(.*)/s);
  const isStaged = fullPath === `/${stage}` || fullPath.startsWith(`/${stage}/`);
  const path = isStaged ? fullPath.slice(stage.length + 1) || '/' : fullPath;
  return { fullPath, path, query: new URLSearchParams(search) };
}

type Values = Record<string, string[]>;

/** Groups the values of each name. */
function groupValues(entries: Iterable<[name: string, value: string]>): Values {
  const values: Values = Object.create(null); // a name may be `constructor`
  for (const [name, value] of entries) {
    values[name] ??= [];
    values[name].push(value);
  }
  return values;
}

/** Yields each header, with its name as the client spelled it. */
function* listHeaders({ rawHeaders }: IncomingMessage): Generator<[name: string, value: string]> {
  for (let i = 0; i < rawHeaders.length; i += 2) yield [rawHeaders[i] ?? '', rawHeaders[i + 1] ?? ''];
}

/** Header of the gateway itself, whatever the client sent. */
const forwardedProto = 'X-Forwarded-Proto';

/** Groups the headers of a request as the gateway passes them on. */
function buildHeaders(request: IncomingMessage): Values {
  const sent = Object.entries(groupValues(listHeaders(request))).filter(
    ([name]) => name.toLowerCase() !== forwardedProto.toLowerCase(),
  );
  return Object.fromEntries([...sent, [forwardedProto, ['http']]]);
}

const keepLast = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

const toNullIfEmpty = <T extends object>(values: T): T | null => (Object.keys(values).length > 0 ? values : null);

export interface ProxyRequest {
  request: IncomingMessage;
  body: Buffer;
  address: Address;
  match: Match;
  requestId: string;
  stage: string;
  binaryMediaTypes: string[];
}

/** True if a body is passed on as base64. */
function isBinary({ headers }: IncomingMessage, binaryMediaTypes: string[]): boolean {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  return binaryMediaTypes.includes(mediaType.trim().toLowerCase());
}

/** Bytes of each ASCII character in JSON: six for most control characters. */
const escapedBytes = Uint8Array.from(
  { length: 128 },
  (_, code) => JSON.stringify(String.fromCharCode(code)).length - 2,
);

/**
 * Returns true if a body takes more than `maxBytes` in its event, or may do so as it is not UTF-8. Builds no text for that, which takes half a
 * second for 6 MB.
 */
export function isTooLargeForEvent({ request, body, binaryMediaTypes }: ProxyRequest, maxBytes: number): boolean {
  if (isBinary(request, binaryMediaTypes)) return (body.length * 4) / 3 > maxBytes;
  const other = isUtf8(body) ? 1 : 3;
  let left = maxBytes;
  for (let i = 0; i < body.length && left >= 0; i++) left -= escapedBytes[body[i] ?? 0] ?? other; // an iterator takes five times as long
  return left < 0;
}

/** Builds the event of a request in the REST proxy format 1.0. */
export function buildProxyEvent(proxied: ProxyRequest): APIGatewayProxyEvent {
  const { request, body, address, match, requestId, stage, binaryMediaTypes } = proxied;
  const { method = '', headers, socket } = request;
  const isBase64Encoded = body.length > 0 && isBinary(request, binaryMediaTypes);
  const allHeaders = buildHeaders(request);
  const query = groupValues(address.query);
  const now = new Date();
  return {
    resource: match.resource,
    path: address.path,
    httpMethod: method,
    headers: keepLast(allHeaders),
    multiValueHeaders: allHeaders,
    queryStringParameters: toNullIfEmpty(keepLast(query)),
    multiValueQueryStringParameters: toNullIfEmpty(query),
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      domainName: `${socket.localAddress}:${socket.localPort}`, // not `Host`, which the client chooses
      httpMethod: method,
      identity: { sourceIp: socket.remoteAddress, userAgent: headers['user-agent'] ?? null },
      path: address.fullPath,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: 'local',
      resourcePath: match.resource,
      stage,
    } as unknown as APIGatewayProxyEvent['requestContext'],
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}
