import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, validateHeaderName, validateHeaderValue } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { FunctionError, type FunctionRunner } from './function-runner.ts';
import { gatewayResponses, type ResponseType } from './gateway-responses.ts';
import { type Address, addressOf, proxyEvent } from './proxy-event.ts';
import { router } from './router.ts';
import type { Assembly } from './template.ts';
import { type Admit, throttle } from './throttle.ts';

/** API Gateway takes 10 MB; an event may have 6 MB and so may its answer (Lambda's limits). */
const maxRequestBytes = 10 * 2 ** 20;
const maxPayloadBytes = 6 * 2 ** 20;

const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/** A refusal by the gateway itself. */
class Refusal extends Error {
  readonly type: ResponseType;
  constructor(type: ResponseType) {
    super(type);
    this.type = type;
  }
}

interface MethodSetting {
  ResourcePath: string;
  HttpMethod: string;
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
}

interface Stage {
  StageName: string;
  MethodSettings: MethodSetting[];
  AccessLogSetting: { Format: string };
}

interface RestApi {
  BinaryMediaTypes: string[];
  MinimumCompressionSize: number;
}

/** A function, for the gateway. Throws FunctionError. */
export type Invocable = Pick<FunctionRunner, 'invoke'>;

interface Answered {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
  /** The resource that matched. */
  resource: string;
}

/** Whether a function's answer is one that can be sent. */
function isProxyResult(result: unknown): result is APIGatewayProxyResult {
  const { statusCode = 0, headers, body } = (result ?? {}) as Partial<APIGatewayProxyResult>;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) return false;
  if (typeof (headers ?? {}) !== 'object' || typeof (body ?? '') !== 'string') return false;
  try {
    for (const [name, value] of Object.entries(headers ?? {})) {
      validateHeaderName(name);
      validateHeaderValue(name, String(value));
    }
  } catch {
    return false;
  }
  return Buffer.byteLength(JSON.stringify(result)) <= maxPayloadBytes;
}

/** The end of the gateway's patience. */
const expiry = async (ms: number): Promise<never> => {
  await sleep(ms, undefined, { ref: false });
  throw new Refusal('INTEGRATION_TIMEOUT');
};

/** Returns the throttle of a stage. Throws where its settings are not one for all methods: nothing else is known here. */
function buildThrottle([every, ...others]: MethodSetting[]): Admit {
  if (every?.ResourcePath !== '/*' || every.HttpMethod !== '*' || others.length > 0)
    throw new Error('The local host does not know method settings of single methods');
  return throttle(every.ThrottlingRateLimit, every.ThrottlingBurstLimit);
}

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
 * as a custom domain does. Knows no endpoint by name. `admit` replaces the stage's throttle.
 */
export function gateway(
  assembly: Assembly,
  runners: ReadonlyMap<string, Invocable>,
  accessLog: (line: string) => void,
  admit?: Admit,
): RequestListener {
  const [api] = assembly.resources('AWS::ApiGateway::RestApi');
  const [stageResource] = assembly.resources('AWS::ApiGateway::Stage');
  if (!api || !stageResource) throw new Error('The template has no REST API');
  const { BinaryMediaTypes, MinimumCompressionSize } = api.Properties as unknown as RestApi;
  const { StageName: stage, MethodSettings, AccessLogSetting } = stageResource.Properties as unknown as Stage;
  const isAdmitted = admit ?? buildThrottle(MethodSettings);
  const route = router(assembly);
  const refused = gatewayResponses(assembly);

  /** The function's answer to a request. Throws Refusal where the gateway says no, or the function gives none. */
  async function answer(request: IncomingMessage, requestId: string, address: Address): Promise<Answered> {
    const body = await bodyOf(request);
    const match = route(request.method ?? '', address.path);
    const runner = match && runners.get(match.functionName);
    if (!runner) throw new Refusal('MISSING_AUTHENTICATION_TOKEN');
    if (!isAdmitted(`${match.method} ${match.resource}`)) throw new Refusal('THROTTLED');
    const event = proxyEvent({ request, body, address, match, requestId, stage, binaryMediaTypes: BinaryMediaTypes });
    if (Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes) throw new Refusal('REQUEST_TOO_LARGE');
    const invoked = runner.invoke(event).catch((error) => {
      throw error instanceof FunctionError ? new Refusal('INTEGRATION_FAILURE') : error;
    });
    const result = await Promise.race([invoked, expiry(match.timeoutMs)]);
    if (!isProxyResult(result)) throw new Refusal('INTEGRATION_FAILURE');
    return { ...written(result, request), resource: match.resource };
  }

  /** An answer as it goes over the wire. */
  function written(result: APIGatewayProxyResult, { headers: asked }: IncomingMessage): Omit<Answered, 'resource'> {
    const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const [name, value] of Object.entries(result.headers ?? {})) {
      // A REST API renames this one.
      headers.set(name.toLowerCase() === 'www-authenticate' ? `x-amzn-remapped-${name}` : name, String(value));
    }
    const compress = body.length >= MinimumCompressionSize && takesGzip.test(String(asked['accept-encoding']));
    if (compress) headers.set('content-encoding', 'gzip');
    const bytes = compress ? gzipSync(body) : body;
    if (result.statusCode !== 304) headers.set('content-length', String(bytes.length));
    return { status: result.statusCode, headers: [...headers].flat(), body: bytes };
  }

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const address = addressOf(request.url ?? '/', stage);
    let error = '';
    const answered = await answer(request, requestId, address).catch((cause): Answered => {
      if (!(cause instanceof Refusal) && !request.destroyed) console.error(cause);
      const type = cause instanceof Refusal ? cause.type : 'INTEGRATION_FAILURE';
      error = type;
      return { ...written(refused(type, { requestId }), request), resource: '' };
    });
    response.writeHead(answered.status, answered.headers).end(request.method === 'HEAD' ? undefined : answered.body);
    const latency = Math.round(performance.now() - startedAt);
    const context: Record<string, string | number | undefined> = {
      requestId,
      requestTimeEpoch: Date.now(),
      stage,
      httpMethod: request.method,
      resourcePath: answered.resource,
      status: answered.status,
      responseLength: answered.body.length,
      responseLatency: latency,
      integrationLatency: latency,
      'error.responseType': error,
      'identity.sourceIp': request.socket.remoteAddress,
    };
    accessLog(AccessLogSetting.Format.replace(/\$context\.([\w.]+)/g, (_, name) => String(context[name] || '-')));
  };
}
