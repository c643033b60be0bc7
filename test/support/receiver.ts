import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver has got. */
export interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Parsed body. */
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown>; user_id: string };
}

/** Answers a request. Its number counts the requests of the receiver, starting at 0. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, number: number) => void;

/** Answers with a status and an optional body. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Failures of a receiver. */
export const failures: Record<string, Answer> = {
  'status 500': answer(500, 'Broken by the test'),
  redirect: answer(302, '', { location: 'http://169.254.169.254/latest/meta-data' }),
  reset: (response) => response.socket?.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.socket?.destroy());
  },
  'not HTTP': (response) => {
    response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
  },
};

/** Starts a receiver of webhooks on this machine. `script` answers, and can be replaced. */
export async function startReceiver(script: Answer = answer(200)) {
  const requests: ReceivedRequest[] = [];
  const receiver = { url: '', script, requests, stop };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => '');
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url ?? '', headers, body, event: JSON.parse(body || '{}') };
    receiver.script(response, received, requests.push(received) - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  function stop(): void {
    server.closeAllConnections();
    server.close();
  }
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
