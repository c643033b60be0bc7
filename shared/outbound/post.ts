import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { allowedHosts } from './check-url.ts';
import { findUrlFault, isExempt } from './url-rules.ts';

/**
 * The only way to addresses that clients name. Refuses those that are not on the public internet, however they are
 * spelled and whatever their name resolves to, does not follow redirects, and bounds time and size.
 */

/** Checks each address that a name resolves to when it connects, so that a second DNS answer cannot differ. */
const publicAgent = new RequestFilteringHttpsAgent(); // a connection would not outlive the pause between two events

export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Time for the whole exchange, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of bytes to read of the answer's body. The rest is not read. */
  maxAnswerBytes: number;
}

export interface OutboundAnswer {
  status: number;
  /** Beginning of the body. */
  text: string;
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

function toOutboundError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new NoAnswer('timeout');
  const { code, message } = error as NodeJS.ErrnoException;
  // request-filtering-agent has no class of its own for its errors.
  if (code === undefined && message.includes('is not allowed')) return new ForbiddenAddress();
  return new NoAnswer(code ?? 'unknown');
}

/**
 * Sends a POST and returns the answer, whatever its status. Throws ForbiddenAddress, or NoAnswer after `timeoutMs` and
 * if the connection fails or ends early.
 */
export async function post({
  url,
  headers,
  body,
  timeoutMs,
  maxAnswerBytes,
}: OutboundRequest): Promise<OutboundAnswer> {
  if (findUrlFault(url, allowedHosts)) throw new ForbiddenAddress();
  const target = new URL(url);
  const signal = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = { method: 'POST', headers, signal };
  const request = isExempt(target, allowedHosts)
    ? (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options)
    : requestHttps(target, { ...options, agent: publicAgent });
  try {
    request.on('error', () => {}); // the response reports those that come after it
    request.end(body);
    const [response] = await once(request, 'response', { signal });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxAnswerBytes) break; // ends the connection
    }
    return {
      status: response.statusCode,
      text: Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString(),
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    throw toOutboundError(error, signal);
  }
}
