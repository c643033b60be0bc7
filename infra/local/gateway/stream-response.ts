import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ResponseHead, splitHead, type WriteChunk } from '../lambda/streamed-response.ts';
import { GatewayError } from './gateway-responses.ts';
import { isProxyResult, toHeaders } from './proxy-result.ts';

/** Status of a response that was sent, and the size of its body in bytes. */
export interface SentBody {
  status: number;
  length: number;
}

/**
 * Passes the response of a function on while it is written, uncompressed. `closed` aborts when the response is closed.
 * Throws what `invoke` throws until the response has begun; after
 * that, a failure ends the connection.
 */
export async function streamResponse(
  invoke: (write: WriteChunk) => Promise<unknown>,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<SentBody> {
  const sent = { status: 0, length: 0 };
  const sendHead = (head: ResponseHead) => {
    if (!isProxyResult(head)) throw new GatewayError('INTEGRATION_FAILURE');
    sent.status = head.statusCode;
    response.writeHead(head.statusCode, [...toHeaders(head)].flat());
  };
  const sendBody = async (chunk: Buffer) => {
    closed.throwIfAborted();
    sent.length += chunk.length;
    if (!response.write(chunk)) await once(response, 'drain', { signal: closed });
  };
  try {
    await invoke(splitHead(sendHead, sendBody));
    if (sent.status === 0) throw new GatewayError('INTEGRATION_FAILURE');
    response.end();
  } catch (error) {
    if (sent.status === 0) throw error;
    response.destroy();
  }
  return sent;
}
