import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { addAbortListener, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { BlockList, type LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { allowedHosts } from './check-url.ts';
import { readAnswer } from './read-answer.ts';
import { findUrlFault, isExempt } from './url-rules.ts';

/**
 * The only way to addresses that clients name. Refuses those that are not on the public internet, in every spelling
 * and after the name is resolved, does not follow redirects, and bounds time and size.
 */

/** Addresses that hold an IPv4 address, such as `::7f00:1` for 127.0.0.1, which the agent takes for public ones. */
const compatible = new BlockList();
compatible.addSubnet('::', 96, 'ipv6');

/**
 * Asks name servers itself. The system's look-up has two threads for all requests of a function, which nothing can end: a name whose server
 * does not answer would hold up those of other users.
 */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Returns the addresses of a name, those of IPv6 only if it has no others. Throws ForbiddenAddress if one of them is IPv4-compatible. */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (six.status === 'fulfilled' && six.value.some((address) => compatible.check(address, 'ipv6')))
    throw new ForbiddenAddress();
  if (four.status === 'fulfilled') return four.value.map((address) => ({ address, family: 4 }));
  if (six.status === 'fulfilled') return six.value.map((address) => ({ address, family: 6 }));
  throw four.reason;
}

const lookUp: LookupFunction = (name, { all }, callback) => {
  resolveName(name).then(
    (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
    (error) => callback(error, []),
  );
};

/** Agents that check each address that a name resolves to when they connect, so that a second DNS answer cannot differ. */
const publicAgent = new RequestFilteringHttpsAgent({ lookup: lookUp });
const keepAliveAgent = new RequestFilteringHttpsAgent({
  lookup: lookUp,
  keepAlive: true,
  maxFreeSockets: 2,
  timeout: 60_000,
});

interface RequestParts {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Uses a connection of an earlier request if there is one. A request that such a connection loses is sent again. */
  keepAlive?: boolean;
}

export interface OutboundRequest extends RequestParts {
  /** Time for the whole exchange, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of bytes to read of the answer's body. The rest is not read. */
  maxAnswerBytes: number;
}

export interface OutboundAnswer {
  status: number;
  /** Beginning of the body. */
  text: string;
  /** True if the body is longer. */
  isCut: boolean;
  retryAfter: string | undefined;
}

/** Thrown if the address is not on the public internet. */
export class ForbiddenAddress extends Error {}

/** Thrown if no complete answer came. `code` is a stable name of the reason, such as `timeout` or `ECONNRESET`. */
export class NoAnswer extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`No answer: ${code}`);
    this.code = code;
  }
}

/** Converts an error of a request to ForbiddenAddress or NoAnswer. `signal` is what ends it. */
export function toOutboundError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new NoAnswer('timeout');
  if (error instanceof ForbiddenAddress) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // request-filtering-agent has no class for its errors.
  if (code === undefined && message.includes('is not allowed')) return new ForbiddenAddress();
  return new NoAnswer(code ?? 'unknown');
}

/** Limit of the informational responses before an answer, such as 103 (Early Hints). A server could send them for ever. */
const maxInformational = 20;

/**
 * Limits of what comes over a connection for one answer: bytes, twice those of the largest answer, and reads of the socket. Node limits
 * neither line ends before an answer nor extensions of its pieces.
 */
const maxReceived = { bytes: 20_000_000, reads: 100_000 };

/** Ends a request for which more comes than any answer needs. */
function limitReceived(request: ClientRequest): void {
  request.once('socket', (socket) => {
    let [bytes, reads] = [0, 0];
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      reads += 1;
      if (bytes > maxReceived.bytes || reads > maxReceived.reads) request.destroy(new NoAnswer('EPROTO'));
    };
    socket.on('data', count);
    request.once('close', () => socket.off('data', count));
  });
}

/** Rejects once a request is closed. Without an answer that has no error if the server upgrades to another protocol. */
async function rejectOnceClosed(request: ClientRequest): Promise<never> {
  await once(request, 'close');
  throw new NoAnswer('EPROTO');
}

/** Returns true if a connection was closed while a request was sent. A server closes one that it has kept for long without reading it. */
const isLost = (error: unknown) => ['ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));

/** Keeps the connection of a response for the next request if its rest comes within a second. Ends it otherwise. */
export function releaseConnection(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), 1_000).unref();
  response
    .on('error', () => {}) // the answer is complete
    .once('close', () => clearTimeout(timer))
    .resume();
}

/**
 * Sends a request and returns the answer of any status as soon as its head has come. `signal` ends all of it. Throws ForbiddenAddress or
 * NoAnswer. What reads the body converts its errors by `toOutboundError`.
 */
export async function openRequest(parts: RequestParts, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body, keepAlive = false } = parts;
  if (findUrlFault(url, allowedHosts)) throw new ForbiddenAddress();
  const target = new URL(url);
  const options: RequestOptions = { method, headers };
  const request = isExempt(target, allowedHosts)
    ? (target.protocol === 'https:' ? requestHttps : requestHttp)(
        target,
        keepAlive ? options : { ...options, agent: false },
      )
    : requestHttps(target, { ...options, agent: keepAlive ? keepAliveAgent : publicAgent });
  // Node's option `signal` ends the connection with an error, which nobody catches if it is on its way to the kept ones.
  const listener = addAbortListener(signal, () => request.destroy());
  try {
    request.once('close', () => listener[Symbol.dispose]());
    request.on('error', () => {}); // the response reports those that come after it
    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational > maxInformational) request.destroy(new NoAnswer('EPROTO'));
    });
    limitReceived(request);
    request.end(body);
    const [response] = await Promise.race([once(request, 'response', { signal }), rejectOnceClosed(request)]);
    return response;
  } catch (error) {
    if (request.reusedSocket && isLost(error) && !signal.aborted) return openRequest(parts, signal);
    throw toOutboundError(error, signal);
  }
}

/**
 * Sends a request and returns the answer of any status. Throws ForbiddenAddress, or NoAnswer after `timeoutMs` and
 * if the connection fails or ends early.
 */
export async function sendRequest({ timeoutMs, maxAnswerBytes, ...parts }: OutboundRequest): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await openRequest(parts, signal);
  try {
    const answer = await readAnswer(response, maxAnswerBytes);
    return { status: Number(response.statusCode), ...answer, retryAfter: response.headers['retry-after'] };
  } catch (error) {
    throw toOutboundError(error, signal);
  }
}
