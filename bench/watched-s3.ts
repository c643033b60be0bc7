import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that has passed. Times are those of `performance.now()`. */
export interface Passed {
  method: string;
  /** Bytes of the bodies, there and back. */
  sent: number;
  received: number;
  startedAt: number;
  endedAt: number;
}

export interface WatchedS3 {
  url: string;
  passed: Passed[];
  stop(): void;
}

/** Stands in front of S3, lets everything pass as it comes, and notes how many bytes went when. */
export async function watchedS3(target: string): Promise<WatchedS3> {
  const { hostname: host, port } = new URL(target);
  const passed: Passed[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path, headers } = request;
    const note: Passed = { method, sent: 0, received: 0, startedAt: performance.now(), endedAt: 0 };
    request.on('data', (chunk) => {
      note.sent += chunk.length;
    });
    const onward = request.pipe(ask({ host, port, method, path, headers })); // with its signed `Host`
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    answer.on('data', (chunk) => {
      note.received += chunk.length;
    });
    answer.on('end', () => {
      note.endedAt = performance.now();
      passed.push(note);
    });
    answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed, stop };
}
