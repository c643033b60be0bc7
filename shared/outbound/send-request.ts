/**
 * Sends requests to addresses that clients name. It and what it imports are the only way to them: they refuse those that are not on the public
 * internet, in every spelling and after the name is resolved, follow no redirects, and limit time and size.
 */

import { addAbortListener, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getAgent } from './agents.ts';
import { allowedHosts } from './check-url.ts';
import { ForbiddenAddress, NoAnswer, toOutboundError } from './errors.ts';
import { maxPieces, readAnswer } from './read-answer.ts';
import { findUrlFault } from './url-rules.ts';

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

/** Limit of the informational responses before an answer, such as 103 (Early Hints). A server could send them endlessly. */
const maxInformational = 20;

/**
 * Limits of what a connection brings for one answer: bytes, twice those of the largest answer, and `data` events, of which a piece may take
 * several. Node limits neither blank lines before the status line nor chunk extensions.
 */
const maxReceived = { bytes: 20_000_000, events: 2 * maxPieces };

/** Ends a request for which more comes than any answer needs. */
function limitReceived(request: ClientRequest): void {
  request.once('socket', (socket) => {
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
  const requestTo = target.protocol === 'https:' ? requestHttps : requestHttp;
  const request = requestTo(target, { method, headers, agent: getAgent(target, keepAlive) });
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
