import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that passed through the proxy. Times are values of `performance.now()`. */
export interface ProxiedRequest {
  method: string;
  /** Size of the request body in bytes. */
  sent: number;
  /** Size of the response body in bytes. */
  received: number;
  startedAt: number;
  endedAt: number;
}

export interface S3Proxy {
  url: string;
  requests: ProxiedRequest[];
  stop(): void;
}

/** Starts a proxy in front of S3 that records the time and size of each request. */
export async function startS3Proxy(target: string): Promise<S3Proxy> {
  const { hostname: host, port } = new URL(target);
  const requests: ProxiedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path, headers } = request;
    const entry: ProxiedRequest = { method, sent: 0, received: 0, startedAt: performance.now(), endedAt: 0 };
    request.on('data', (chunk) => {
      entry.sent += chunk.length;
    });
    const onward = request.pipe(ask({ host, port, method, path, headers })); // keeps the signed `Host` header
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    answer.on('data', (chunk) => {
      entry.received += chunk.length;
    });
    answer.on('end', () => {
      entry.endedAt = performance.now();
      requests.push(entry);
    });
    answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, stop };
}
