import { constants } from 'node:crypto';
import { type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { addAbortListener, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { BlockList, type LookupFunction, type Socket } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { allowedHosts } from './check-url.ts';
import { limitKept } from './limit-kept.ts';
import { maxPieces, readAnswer } from './read-answer.ts';
import { findUrlFault, isExempt } from './url-rules.ts';

/**
 * The only way to addresses that clients name. Refuses those that are not on the public internet, in every spelling
 * and after the name is resolved, does not follow redirects, and bounds time and size.
 */

/** Addresses that hold an IPv4 address, such as `::7f00:1` for 127.0.0.1, which the agent takes for public ones. */
const compatible = new BlockList();
compatible.addSubnet('::', 96, 'ipv6');

/**
 * Options of DNS resolvers (c-ares), which give up after some nine seconds. `dns.lookup` would take one of two threads for as long as a name
 * server does not answer, and so hold up all other requests of the function.
 */
const resolverOptions = { timeout: 2_000, tries: 4, maxTimeout: 2_000 };

/** Limit of the addresses of a name to try. A name can have thousands. */
const maxAddresses = 8;

/** Returns the addresses of a name, those of IPv6 only if it has no others. Throws ForbiddenAddress, or NoAnswer with a code of `dns.lookup`. */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(resolverOptions); // of its own, because a malformed answer ends all queries of a resolver
  const ignoreNoData = ({ code }: NodeJS.ErrnoException): string[] => {
    if (code === NODATA) return [];
    throw new NoAnswer(code === NOTFOUND ? NOTFOUND : 'EAI_AGAIN');
  };
  // An alias of a name without addresses has an empty answer.
  const four = await resolver.resolve4(name).catch(ignoreNoData);
  const found = four.length > 0 ? four : await resolver.resolve6(name).catch(ignoreNoData);
  const addresses = found.slice(0, maxAddresses).map((address) => ({ address, family: four.length > 0 ? 4 : 6 }));
  if (addresses.length === 0) throw new NoAnswer(NOTFOUND);
  if (addresses.some(({ address, family }) => family === 6 && compatible.check(address, 'ipv6')))
    throw new ForbiddenAddress();
  return addresses;
}

const lookUp: LookupFunction = (name, { all }, callback) => {
  resolveName(name).then(
    (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
    (error) => callback(error, []),
  );
};

/** A server could ask for a new handshake without end. TLS 1.3 has none. */
const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;

/** Agents that check each address that a name resolves to when they connect, so that a second DNS answer cannot differ. */
const publicAgent = new RequestFilteringHttpsAgent({ lookup: lookUp, secureOptions });
const keepAliveAgent = new RequestFilteringHttpsAgent({
  lookup: lookUp,
  keepAlive: true,
  maxFreeSockets: 2,
  timeout: 60_000,
  secureOptions,
});
limitKept(keepAliveAgent, 20); // a function has 1,024 file descriptors

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
 * Limits of what a connection brings for one answer: bytes, twice those of the largest answer, and `data` events, of which a piece may take
 * several. Node limits neither blank lines before the status line nor chunk extensions.
 */
const maxReceived = { bytes: 20_000_000, events: 2 * maxPieces };

/** Limit of the TLS session tickets on a connection. Servers send two to four, which are no data. */
const maxTickets = 16;

/** Connections whose tickets are counted, for as long as they are kept. */
const countedSockets = new WeakSet<Socket>();

/** Closes a connection on which more tickets come than a server needs, also between two requests. */
function limitTickets(socket: Socket): void {
  if (countedSockets.has(socket)) return;
  countedSockets.add(socket);
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets > maxTickets) socket.destroy();
  });
}

/** Ends a request for which more comes than any answer needs. */
function limitReceived(request: ClientRequest): void {
  request.once('socket', (socket) => {
    limitTickets(socket);
    let [bytes, events] = [0, 0];
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      events += 1;
      if (bytes > maxReceived.bytes || events > maxReceived.events) request.destroy(new NoAnswer('EPROTO'));
    };
    socket.on('data', count);
    request.once('close', () => socket.off('data', count));
  });
}

/** Rejects when a request closes. After a 101, Node emits only `close`: no response and no error. */
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
    // A server that answers without reading the body would keep it in memory until the signal.
    response.once('end', () => request.writableFinished || request.destroy());
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
