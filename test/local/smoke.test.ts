import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { type Client, deployed, newUser } from '../support/api.ts';

/** What the command printed, and how it ended. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const smoke = ({ token }: Client, baseUrl = inject('baseUrl')): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, BASE_URL: baseUrl, TOKEN: token };
    execFile(process.execPath, ['infra/smoke/smoke.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** The API, but for the requests that get the answer given here. Gives its address. */
async function intercepted(
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

/** The API, but for requests that fail by a 500. Gives its address. */
const broken = (fails: (method: string, path: string) => boolean): Promise<string> =>
  intercepted((method, path) =>
    fails(method, path)
      ? [500, { detail: [{ loc: ['service'], msg: 'Broken by the test', type: 'internal' }] }]
      : undefined,
  );

/** The API, but for the first answers of an index, which has not learned of a write yet. Gives its address. */
function lagging(path: RegExp, times: number): Promise<string> {
  let left = times;
  return intercepted((_, url) => {
    if (left === 0 || !path.test(url)) return undefined;
    left -= 1;
    return [200, { data: { sessions: [] } }];
  });
}

/** How much a user has, of all kinds. */
async function belongings(user: Client): Promise<number> {
  const { body: assistants } = await user.get<object[]>('/assistants');
  const { body: credentials } = await user.get<object[]>('/user-credentials');
  const { body: keys } = await user.get<{ data: { api_keys: object[] } }>('/api-keys');
  const { body: documents } = await user.get<{ data: { knowledge_bases: object[] } }>('/assistants/knowledge-base');
  const { body: chats } = await user.get<{ data: { total: number } }>('/chat');
  const lists = [assistants, credentials, keys.data.api_keys, documents.data.knowledge_bases];
  return lists.flat().length + chats.data.total;
}

describe.skipIf(deployed)('npm run smoke', () => {
  it('walks every route in both spellings, and leaves nothing', async () => {
    const user = await newUser();
    const { code, stdout, stderr } = await smoke(user, `${inject('baseUrl')}/`); // as the stack prints it
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n').map((line) => /^ok +\d+ ms {2}(\w+) +([^? ]*)/.exec(line)?.slice(1) ?? []);
    for (const { method, path } of routes) {
      for (const slash of ['', '/']) {
        const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[\\w-]+')}${slash}$`);
        const walked = lines.some(([sent, address = '']) => sent === method && pattern.test(address));
        expect([method, path + slash, walked]).toEqual([method, path + slash, true]);
      }
    }
    expect(stdout).toContain(`${routes.length} routes of ${inject('baseUrl')} answer, each in both spellings`);
    expect(await belongings(user)).toBe(0);
  });

  it('waits for an index that learns of a session a moment later', async () => {
    const { code, stderr } = await smoke(await newUser(), await lagging(/^\/logs\/chat-sessions\/?\?/, 3));
    expect([code, stderr]).toEqual([0, '']);
  });

  it('fails where nothing works, and says so in the words of the service', async () => {
    const { code, stderr } = await smoke(await newUser(), await broken(() => true));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'GET /smoke-nowhere: 404 expected, got 500, service: Broken by the test (x-request-id intercepted)',
    );
    expect(stderr).not.toContain('    at ');
  });

  it('fails where only the other spelling of one path does not work', async () => {
    const { code, stderr } = await smoke(
      await newUser(),
      await broken((_, path) => path.startsWith('/api-keys/?') || path === '/api-keys/'),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('POST /api-keys/: 200 expected, got 500');
    expect(stderr).not.toContain('left to do');
  });

  it('cleans up after a step that fails', async () => {
    const user = await newUser();
    const url = await broken((method, path) => method === 'GET' && path.startsWith('/logs/chat-sessions'));
    const { code, stderr } = await smoke(user, url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/GET \/logs\/chat-sessions\/\S*: 200 expected, got 500/);
    expect(await belongings(user)).toBe(0);
  });

  it('says what it could not clean up, and goes on with the rest', async () => {
    const user = await newUser();
    const url = await broken((method, path) => method === 'DELETE' && path.startsWith('/user-credentials'));
    const { code, stderr } = await smoke(user, url);
    expect(code).toBe(1);
    expect(stderr.match(/DELETE \/user-credentials\/smoke-\w+\/? is left to do: .*Broken by the test/g)).toHaveLength(
      2,
    );
    expect(await belongings(user)).toBe(2);
  });

  it('fails where nothing listens, in a sentence', async () => {
    const { code, stderr } = await smoke(await newUser(), 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1:1 fails the smoke test');
    expect(stderr).not.toContain('    at ');
  });
});
