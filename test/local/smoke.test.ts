import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { type Client, createUser, deployed } from '../support/api.ts';

/** Output and exit code of the command. */
interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const runSmoke = ({ token }: Client, baseUrl = inject('baseUrl')): Promise<CommandResult> =>
  new Promise((resolve) => {
    const env = { ...process.env, BASE_URL: baseUrl, TOKEN: token };
    execFile(process.execPath, ['infra/commands/smoke/smoke.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** Starts a proxy of the API that answers some requests itself. Returns its address. */
async function interceptApi(
  answerTo: (method: string, path: string) => [status: number, body: object] | undefined,
): Promise<string> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const [status, body] = answerTo(method, url) ?? [];
    if (status) {
      response.writeHead(status, { 'x-request-id': 'intercepted' }).end(JSON.stringify(body));
      return;
    }
    const passed = ask(inject('baseUrl') + url, { method, headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy of the API that fails some requests with a 500. Returns its address. */
const breakApi = (fails: (method: string, path: string) => boolean): Promise<string> =>
  interceptApi((method, path) =>
    fails(method, path)
      ? [500, { detail: [{ loc: ['service'], msg: 'Broken by the test', type: 'internal' }] }]
      : undefined,
  );

/** Starts a proxy of the API with a lagging index: its first `times` answers lack the session. Returns its address. */
function delayIndex(path: RegExp, times: number): Promise<string> {
  let left = times;
  return interceptApi((_, url) => {
    if (left === 0 || !path.test(url)) return undefined;
    left -= 1;
    return [200, { data: { sessions: [] } }];
  });
}

/** Counts everything that a user owns. */
async function countOwned(user: Client): Promise<number> {
  const { body: assistants } = await user.get<object[]>('/assistants');
  const { body: credentials } = await user.get<object[]>('/user-credentials');
  const { body: keys } = await user.get<{ data: { api_keys: object[] } }>('/api-keys');
  const { body: documents } = await user.get<{ data: { knowledge_bases: object[] } }>('/assistants/knowledge-base');
  const { body: chats } = await user.get<{ data: { total: number } }>('/chat');
  const lists = [assistants, credentials, keys.data.api_keys, documents.data.knowledge_bases];
  return lists.flat().length + chats.data.total;
}

describe.skipIf(deployed)('npm run smoke', () => {
  it('calls every route with and without a trailing slash, waits for an index that lags behind, and leaves nothing', async () => {
    const user = await createUser();
    const url = await delayIndex(/^\/logs\/chat-sessions\/?\?/, 3);
    const { code, stdout, stderr } = await runSmoke(user, `${url}/`); // the stack's output has a trailing slash
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').map((line) => /^ok +\d+ ms {2}(\w+) +([^? ]*)/.exec(line)?.slice(1) ?? []);
    for (const { method, path } of routes) {
      for (const slash of ['', '/']) {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[\\w-]+')}${slash}$`);
        const walked = lines.some(([sent, address = '']) => sent === method && pattern.test(address));
        expect([method, path + slash, walked]).toEqual([method, path + slash, true]);
      }
    }
    expect(stdout).toContain(`${routes.length} routes of ${url} answer, each in both spellings`);
    expect(await countOwned(user)).toBe(0);
  });

  it("fails with the service's message if nothing works", async () => {
    const { code, stderr } = await runSmoke(await createUser(), await breakApi(() => true));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'GET /smoke-nowhere: 404 expected, got 500, service: Broken by the test (x-request-id intercepted)',
    );
    expect(stderr).not.toContain('    at ');
  });

  it('fails if one path does not work with a trailing slash, and cleans up', async () => {
    const user = await createUser();
    const url = await breakApi((_, path) => path.startsWith('/api-keys/?') || path === '/api-keys/');
    const { code, stderr } = await runSmoke(user, url);
    expect(code).toBe(1);
    expect(stderr).toContain('POST /api-keys/: 200 expected, got 500');
    expect(stderr).not.toContain('could not be undone');
    expect(await countOwned(user)).toBe(0);
  });

  it('reports what it could not clean up, and continues with the rest', async () => {
    const user = await createUser();
    const url = await breakApi((method, path) => method === 'DELETE' && path.startsWith('/user-credentials'));
    const { code, stderr } = await runSmoke(user, url);
    expect(code).toBe(1);
    expect(
      stderr.match(/DELETE \/user-credentials\/(?:smoke-\w+|livekit)\/? could not be undone: .*Broken by the test/g),
    ).toHaveLength(4);
    expect(await countOwned(user)).toBe(4);
  });

  it('reports an unreachable address in one sentence', async () => {
    const { code, stderr } = await runSmoke(await createUser(), 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1 fails the smoke test');
    expect(stderr).not.toContain('    at ');
  });
});
