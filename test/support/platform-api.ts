import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Answer of a scripted API: a body as JSON, or a status with a body and headers. */
export type ScriptedAnswer =
  | { json: unknown }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { cut: true };

/** A request that a scripted API has got. */
export interface ApiRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Starts an API on this machine that answers by `METHOD /path`, and with 404 where the script has nothing. A list is answered in turn. */
export async function startPlatformApi(script: Record<string, ScriptedAnswer | ScriptedAnswer[]>) {
  const requests: ApiRequest[] = [];
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const body = await text(request).catch(() => '');
    requests.push({ method, path, headers: request.headers as Record<string, string>, body });
    const name = `${method} ${path}`;
    const turn = counts.get(name) ?? 0;
    counts.set(name, turn + 1);
    const answers = [script[name] ?? { status: 404 }].flat();
    const answer = answers[Math.min(turn, answers.length - 1)] ?? { status: 404 };
    if ('cut' in answer) {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"half', () => response.socket?.destroy());
    } else if ('json' in answer) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
    } else response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
