import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { FunctionError, type FunctionRunner } from './environment.ts';
import { gatewayResponses, type ResponseType } from './gateway-responses.ts';
import { type Match, router } from './router.ts';
import type { Assembly } from './template.ts';
import { throttle } from './throttle.ts';

/** API Gateway takes 10 MB; an event may have 6 MB and so may its answer (Lambda's limits). */
const maxRequestBytes = 10 * 2 ** 20;
const maxPayloadBytes = 6 * 2 ** 20;

/** A refusal by the gateway itself. */
class Refusal extends Error {
  readonly type: ResponseType;
  constructor(type: ResponseType) {
    super(type);
    this.type = type;
  }
}

interface Stage {
  StageName: string;
  MethodSettings: { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }[];
  AccessLogSetting: { Format: string };
}

interface RestApi {
  BinaryMediaTypes: string[];
  MinimumCompressionSize: number;
}

/** Header pairs as Node gives them, names in the client's spelling. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    headers[name] = [...(headers[name] ?? []), value];
  }
  return headers;
}

const lastOf = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length > 0 ? values : null);

/** Reads the whole body, so that the client is free to hear a refusal. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maxRequestBytes) chunks.push(chunk);
  }
  if (size > maxRequestBytes) throw new Refusal('REQUEST_TOO_LARGE');
  const body = Buffer.concat(chunks);
  if (request.headers['content-encoding'] !== 'gzip') return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxRequestBytes });
  } catch {
    throw new Refusal('BAD_REQUEST_BODY');
  }
}

/**
 * API Gateway, as the template configures it: routing, the REST proxy event (format 1.0), its own errors, throttling,
 * compression, binary media types and the access log. Answers under the stage's name, as execute-api does, and at the root,
 * as a custom domain does. Knows no endpoint by name.
 */
export function gateway(
  assembly: Assembly,
  runners: Map<string, FunctionRunner>,
  accessLog: (line: string) => void,
): RequestListener {
  const [api] = assembly.resources('AWS::ApiGateway::RestApi');
  const [stageResource] = assembly.resources('AWS::ApiGateway::Stage');
  if (!api || !stageResource) throw new Error('The template has no REST API');
  const { BinaryMediaTypes, MinimumCompressionSize } = api.Properties as unknown as RestApi;
  const { StageName: stage, MethodSettings, AccessLogSetting } = stageResource.Properties as unknown as Stage;
  const [limits] = MethodSettings;
  const admit = throttle(limits?.ThrottlingRateLimit, limits?.ThrottlingBurstLimit);
  const route = router(assembly);
  const refused = gatewayResponses(assembly);

  function eventOf(
    request: IncomingMessage,
    body: Buffer,
    requestId: string,
    address: Address,
    match: Match,
  ): APIGatewayProxyEvent {
    const headers = headersOf(request);
    const query: Record<string, string[]> = {};
    for (const [name, value] of address.query) query[name] = [...(query[name] ?? []), value];
    const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
    const isBinary = BinaryMediaTypes.includes(mediaType.trim().toLowerCase());
    const now = new Date();
    return {
      resource: match.resource,
      path: address.path,
      httpMethod: request.method ?? '',
      headers: lastOf(headers),
      multiValueHeaders: headers,
      queryStringParameters: orNull(lastOf(query)),
      multiValueQueryStringParameters: orNull(query),
      pathParameters: match.pathParameters,
      stageVariables: null,
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        authorizer: null,
        domainName: request.headers.host,
        httpMethod: request.method ?? '',
        identity: { sourceIp: request.socket.remoteAddress, userAgent: request.headers['user-agent'] ?? null },
        path: address.fullPath,
        protocol: 'HTTP/1.1',
        requestId,
        requestTime: now.toUTCString(),
        requestTimeEpoch: now.getTime(),
        resourceId: 'local',
        resourcePath: match.resource,
        stage,
      } as unknown as APIGatewayProxyEvent['requestContext'],
      body: body.length === 0 ? null : body.toString(isBinary ? 'base64' : 'utf8'),
      isBase64Encoded: isBinary && body.length > 0,
    };
  }

  interface Address {
    /** As the client sent it. */
    fullPath: string;
    /** Without the stage. */
    path: string;
    query: URLSearchParams;
  }

  function addressOf(url: string): Address {
    // No URL object here: it would resolve dots in the path, which API Gateway takes literally.
    const [fullPath = '/', search = ''] = url.split(/\?(.*)/s);
    const isStaged = fullPath === `/${stage}` || fullPath.startsWith(`/${stage}/`);
    const path = isStaged ? fullPath.slice(stage.length + 1) || '/' : fullPath;
    return { fullPath, path, query: new URLSearchParams(search) };
  }

  async function answer(
    request: IncomingMessage,
    requestId: string,
    address: Address,
  ): Promise<APIGatewayProxyResult & { resource: string }> {
    const body = await bodyOf(request);
    if (!admit()) throw new Refusal('THROTTLED');
    const match = route(request.method ?? '', address.path);
    const runner = match && runners.get(match.functionName);
    if (!runner) throw new Refusal('MISSING_AUTHENTICATION_TOKEN');
    const event = eventOf(request, body, requestId, address, match);
    if (Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes) throw new Refusal('REQUEST_TOO_LARGE');
    const result = (await runner.invoke(event).catch((error) => {
      if (!(error instanceof FunctionError)) throw error;
      throw new Refusal(error.kind === 'timeout' ? 'INTEGRATION_TIMEOUT' : 'INTEGRATION_CRASH');
    })) as APIGatewayProxyResult;
    const isProxyResult = Number.isInteger(result?.statusCode);
    if (!isProxyResult || Buffer.byteLength(result.body ?? '') > maxPayloadBytes)
      throw new Refusal('INTEGRATION_CRASH');
    return { ...result, resource: match.resource };
  }

  function send(request: IncomingMessage, response: ServerResponse, result: APIGatewayProxyResult): number {
    const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const [name, value] of Object.entries(result.headers ?? {})) {
      // A REST API renames this one.
      headers.set(name.toLowerCase() === 'www-authenticate' ? `x-amzn-remapped-${name}` : name, String(value));
    }
    const compress =
      body.length >= MinimumCompressionSize && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    if (compress) headers.set('content-encoding', 'gzip');
    const sent = compress ? gzipSync(body) : body;
    if (result.statusCode !== 304) headers.set('content-length', String(sent.length));
    response.writeHead(result.statusCode, [...headers].flat()).end(request.method === 'HEAD' ? undefined : sent);
    return sent.length;
  }

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const address = addressOf(request.url ?? '/');
    let resource = '';
    let error = '';
    let result: APIGatewayProxyResult;
    try {
      const answered = await answer(request, requestId, address);
      resource = answered.resource;
      result = answered;
    } catch (cause) {
      if (!(cause instanceof Refusal)) console.error(cause);
      error = cause instanceof Refusal ? cause.type : 'INTEGRATION_CRASH';
      result = refused(cause instanceof Refusal ? cause.type : 'INTEGRATION_CRASH', { requestId });
    }
    const bytes = send(request, response, result);
    const latency = Math.round(performance.now() - startedAt);
    const context: Record<string, string | number | undefined> = {
      requestId,
      requestTimeEpoch: Date.now(),
      httpMethod: request.method,
      resourcePath: resource,
      status: result.statusCode,
      responseLength: bytes,
      responseLatency: latency,
      integrationLatency: latency,
      'error.responseType': error,
      'identity.sourceIp': request.socket.remoteAddress,
    };
    accessLog(AccessLogSetting.Format.replace(/\$context\.([\w.]+)/g, (_, name) => String(context[name] || '-')));
  };
}
