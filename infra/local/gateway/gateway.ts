import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { limitConcurrency } from '../../../shared/limit-concurrency.ts';
import { BodyTooLarge, readBody } from '../body.ts';
import { FunctionError, type FunctionRunner } from '../lambda/function-runner.ts';
import type { WriteChunk } from '../lambda/streamed-response.ts';
import type { Assembly } from '../template.ts';
import { createGatewayResponses, GatewayError } from './gateway-responses.ts';
import { type Address, buildProxyEvent, isTooLargeForEvent, type ProxyRequest, parseAddress } from './proxy-event.ts';
import { isProxyResult, maxPayloadBytes, toHeaders } from './proxy-result.ts';
import { createRouter, type Match } from './router.ts';
import { type SentBody, streamResponse } from './stream-response.ts';
import { type Admit, createThrottle, limitBytes } from './throttle.ts';

/** API Gateway's limit on a request body. */
const maxRequestBytes = 10 * 2 ** 20;

const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

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

/** What the access log says of a response. */
interface SentResponse extends SentBody {
  /** Path of the matched resource, empty if the gateway answers itself. */
  resource: string;
}

/** A function that the gateway can call. `invoke` throws FunctionError. */
export type Invocable = Pick<FunctionRunner, 'invoke'>;

/** A request that a function is to answer. */
interface Invocation {
  event: APIGatewayProxyEvent;
  match: Match;
  runner: Invocable;
}

/**
 * Maximum memory of the requests that wait for one function, with its responses that clients have not read, and of those that wait to be
 * prepared for it, in bytes: 400 small requests, or 20 with bodies of 5 MB.
 */
const maxWaitingBytes = 200_000_000;

/** Returns the memory of a request with a body of some characters, in bytes. Its parameters may take a hundred times the length of its address. */
const estimateBytes = ({ url = '' }: IncomingMessage, characters: number) =>
  500_000 + 100 * url.length + 2 * characters;

/** Rejects with a timeout of the integration after `ms` milliseconds. */
const rejectAfter = async (ms: number): Promise<never> => {
  await sleep(ms, undefined, { ref: false });
  throw new GatewayError('INTEGRATION_TIMEOUT');
};

/** Time in which a client has to read a response, in milliseconds. */
const maxSendMs = 60_000;

/** Waits until a client has read a response, of which the rest is in memory until then. Closes the connection if it takes too long. */
async function waitUntilSent(response: ServerResponse): Promise<void> {
  const timer = setTimeout(() => response.req.socket.destroy(), maxSendMs); // a response that waits for another has no socket
  await finished(response).catch(() => {}); // the client has left
  clearTimeout(timer);
}

/** Returns the throttle of a stage. Throws unless one setting covers all methods. */
function buildThrottle([every, ...others]: MethodSetting[]): Admit {
  if (every?.ResourcePath !== '/*' || every.HttpMethod !== '*' || others.length > 0)
    throw new Error('The local host does not support settings of single methods');
  return createThrottle(every.ThrottlingRateLimit, every.ThrottlingBurstLimit);
}

const unzip = promisify(gunzip);

/** Reads the body of a request. Throws GatewayError if it is too large. */
const readRequestBody = (request: IncomingMessage): Promise<Buffer> =>
  readBody(request, maxRequestBytes).catch((error) => {
    throw error instanceof BodyTooLarge ? new GatewayError('REQUEST_TOO_LARGE') : error;
  });

const isZipped = ({ headers }: IncomingMessage): boolean => headers['content-encoding'] === 'gzip';

/** Decompresses the body of a request. Throws GatewayError if it is too large or not valid gzip. */
async function decompress(request: IncomingMessage, body: Buffer): Promise<Buffer> {
  if (!isZipped(request)) return body;
  return unzip(body, { maxOutputLength: maxPayloadBytes }).catch((error) => {
    throw new GatewayError(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'REQUEST_TOO_LARGE' : 'BAD_REQUEST_BODY');
  });
}

/** Builds the event of a request. Throws GatewayError if it is too large. */
function buildEvent(proxied: ProxyRequest): APIGatewayProxyEvent {
  if (isTooLargeForEvent(proxied, maxPayloadBytes)) throw new GatewayError('REQUEST_TOO_LARGE');
  const event = buildProxyEvent(proxied);
  if (Buffer.byteLength(JSON.stringify(event)) > maxPayloadBytes) throw new GatewayError('REQUEST_TOO_LARGE');
  return event;
}

/** Bytes from which a body takes so much time of this thread that others have to wait for it. */
const largeBytes = 256 * 2 ** 10;

/** Prepares large bodies one after the other, with as much time for all else between. One takes 50 ms of this thread, and memory. */
const inTurn = limitConcurrency(1);
let pauseEndsAt = 0;

/** Builds the event of a request. Throws GatewayError if it is too large. */
const prepareEvent = async (proxied: ProxyRequest): Promise<APIGatewayProxyEvent> =>
  buildEvent({ ...proxied, body: await decompress(proxied.request, proxied.body) });

/** Builds the event of a request when it is its turn. Throws GatewayError if it is too large. */
async function prepareInTurn(proxied: ProxyRequest): Promise<APIGatewayProxyEvent> {
  return inTurn(async () => {
    const pauseMs = pauseEndsAt - performance.now();
    if (pauseMs > 0) await sleep(pauseMs);
    if (proxied.request.socket.destroyed) throw new GatewayError('INTEGRATION_FAILURE'); // the client has left
    const startedAt = performance.now();
    try {
      return await prepareEvent(proxied);
    } finally {
      pauseEndsAt = 2 * performance.now() - startedAt;
    }
  });
}

/**
 * Creates API Gateway as the template configures it: routing, the REST proxy event (format 1.0), gateway errors, throttling,
 * compression, binary media types and the access log. Serves paths with the stage's name, like execute-api, and without it, like a
 * custom domain. `admit` replaces the stage's throttle.
 */
export function createGateway(
  assembly: Assembly,
  runners: ReadonlyMap<string, Invocable>,
  accessLog: (line: string) => void,
  admit?: Admit,
): RequestListener {
  const [api] = assembly.listResources('AWS::ApiGateway::RestApi');
  const [stageResource] = assembly.listResources('AWS::ApiGateway::Stage');
  if (!api || !stageResource) throw new Error('The template has no REST API');
  const { BinaryMediaTypes, MinimumCompressionSize } = api.Properties as unknown as RestApi;
  const { StageName: stage, MethodSettings, AccessLogSetting } = stageResource.Properties as unknown as Stage;
  const isAdmitted = admit ?? buildThrottle(MethodSettings);
  const route = createRouter(assembly);
  const withinTurnBytes = limitBytes(maxWaitingBytes);
  const withinBytes = limitBytes(maxWaitingBytes);
  const buildErrorResponse = createGatewayResponses(assembly);

  /** Reads a request. Throws GatewayError if the gateway rejects it. */
  async function readRequest(request: IncomingMessage, requestId: string, address: Address): Promise<Invocation> {
    const body = await readRequestBody(request);
    const match = route(request.method ?? '', address.path);
    const runner = match && runners.get(match.functionName);
    if (!runner) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
    if (!isAdmitted(`${match.method} ${match.resource}`)) throw new GatewayError('THROTTLED');
    if (body.length > maxPayloadBytes) throw new GatewayError('REQUEST_TOO_LARGE');
    const proxied = { request, body, address, match, requestId, stage, binaryMediaTypes: BinaryMediaTypes };
    const isSmall = body.length < largeBytes && !isZipped(request);
    if (isSmall) return { event: await prepareEvent(proxied), match, runner };
    // At most 44 compressed ones wait, however small: each may take its turn for as long as a large one.
    const bytes = estimateBytes(request, isZipped(request) ? Math.max(body.length, 2_000_000) : body.length);
    const event = await withinTurnBytes(match.functionName, bytes, () => prepareInTurn(proxied));
    return { event, match, runner };
  }

  /** Sends the function's response. Throws GatewayError if it fails before it responds. */
  async function sendFunctionResponse(
    { event, match, runner }: Invocation,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<SentResponse> {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    if (response.destroyed) ended.abort(); // the client has left while its request waited
    const invoke = async (write?: WriteChunk) => {
      const invoked = runner.invoke(event, write, ended.signal).catch((error) => {
        throw error instanceof FunctionError ? new GatewayError('INTEGRATION_FAILURE') : error;
      });
      return Promise.race([invoked, rejectAfter(match.timeoutMs)]);
    };
    if (match.streams) return { ...(await streamResponse(invoke, response, ended.signal)), resource: match.resource };
    const result = await invoke();
    if (!isProxyResult(result)) throw new GatewayError('INTEGRATION_FAILURE');
    // As a text and as bytes.
    return withinBytes(match.functionName, 2 * Buffer.byteLength(result.body ?? ''), async () => {
      const sent = sendResult(result, request, response);
      await waitUntilSent(response);
      return { ...sent, resource: match.resource };
    });
  }

  /** Sends a result as API Gateway does: encoded, compressed and with renamed headers. */
  function sendResult(result: APIGatewayProxyResult, request: IncomingMessage, response: ServerResponse): SentBody {
    const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
    const headers = toHeaders(result);
    const compress =
      body.length >= MinimumCompressionSize && acceptsGzip.test(String(request.headers['accept-encoding']));
    if (compress) headers.set('content-encoding', 'gzip');
    const bytes = compress ? gzipSync(body) : body;
    if (result.statusCode !== 304) headers.set('content-length', String(bytes.length));
    response.writeHead(result.statusCode, [...headers].flat()).end(request.method === 'HEAD' ? undefined : bytes);
    return { status: result.statusCode, length: bytes.length };
  }

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const address = parseAddress(request.url ?? '/', stage);
    let error = '';
    const respond = async () => {
      const invocation = await readRequest(request, requestId, address);
      const { event, match } = invocation;
      const send = () => sendFunctionResponse(invocation, request, response);
      return withinBytes(match.functionName, estimateBytes(request, event.body?.length ?? 0), send);
    };
    const sent = await respond().catch((cause): SentResponse => {
      if (!(cause instanceof GatewayError) && !request.destroyed) console.error(cause);
      const type = cause instanceof GatewayError ? cause.type : 'INTEGRATION_FAILURE';
      error = type;
      return { ...sendResult(buildErrorResponse(type, { requestId }), request, response), resource: '' };
    });
    const latency = Math.round(performance.now() - startedAt);
    const context: Record<string, string | number | undefined> = {
      requestId,
      requestTimeEpoch: Date.now(),
      stage,
      httpMethod: request.method,
      resourcePath: sent.resource,
      status: sent.status,
      responseLength: sent.length,
      responseLatency: latency,
      integrationLatency: latency,
      'error.responseType': error,
      'identity.sourceIp': request.socket.remoteAddress,
    };
    accessLog(AccessLogSetting.Format.replace(/\$context\.([\w.]+)/g, (_, name) => String(context[name] || '-')));
  };
}
