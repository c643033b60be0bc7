import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPythonClient } from '../../infra/commands/derive/python-client.ts';
import { generateWebhookSecret, parseWebhookSecret, sign } from '../../shared/domain/signature.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, createUser, type Reply } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { createEverything } from '../support/create-everything.ts';
import { readLog } from '../support/function-log.ts';
import { type Answer, answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { buildBody, type OwnedValues } from '../support/tenancy.ts';
import { scaleTimeout } from '../support/timeouts.ts';
import { answerModel, inTurn, stream } from '../support/vendor.ts';

const folder = join(import.meta.dirname, '../../clients/python');
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const hasModule = (name: string) => spawnSync('python3', ['-c', `import ${name}`]).status === 0;
const run = promisify(execFile);
const env = (more: Record<string, string> = {}) => ({
  ...process.env,
  PYTHONPATH: folder,
  PYTHONDONTWRITEBYTECODE: '1',
  ...more,
});

interface ClientError {
  message: string;
  status: number | null;
  type: string;
  faults: object[];
  request_id: string | null;
  retry_after: number | null;
  is_temporary: boolean;
}

interface StepResult {
  returned?: unknown;
  etag?: string;
  request_id?: string;
  error?: ClientError;
  failed?: string;
  invalid?: string;
  seconds: number;
}

interface Step {
  client?: object;
  method?: string;
  given?: unknown[];
  named?: object;
  /** Maximum number of pieces to read of an iterator. */
  most?: number;
  webhook?: object;
}

/** Runs steps in one Python process. */
async function runSteps(steps: Step[]): Promise<StepResult[]> {
  const python = spawn('python3', ['test/clients/steps.py'], { env: env(), stdio: ['pipe', 'pipe', 'pipe'] });
  python.stdin.end(JSON.stringify(steps));
  const [output, errors] = await Promise.all([text(python.stdout), text(python.stderr)]);
  if (output === '') throw new Error(errors);
  return JSON.parse(output);
}

const callAs = ({ baseUrl, token }: Client, method: string, ...given: unknown[]): Step => ({
  client: { url: baseUrl, token },
  method,
  given,
});

const listReturned = <T>(result: StepResult | undefined) => (result?.returned ?? []) as T[];

let receivers: Receiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.stop();
  receivers = [];
});

/** Starts a server that takes the place of the API. */
async function startFake(script: Answer): Promise<Receiver & { base: string }> {
  const receiver = await startReceiver(script);
  receivers.push(receiver);
  return Object.assign(receiver, { base: new URL(receiver.url).origin });
}

const callFake = (base: string, method: string, given: unknown[] = [], more: object = {}): Step => ({
  client: { url: base, token: 'va_test', ...more },
  method,
  given,
});

const json = (status: number, body: object, headers = {}) =>
  answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

const chat = { model: randomUUID(), messages: [{ role: 'user', content: 'Hello' }] };

it('the Python client is up to date with the routes (npm run derive)', () => {
  for (const [file, source] of Object.entries(buildPythonClient()))
    expect(readFileSync(file, 'utf8') === source, `${file}: run npm run derive`).toBe(true);
});

it('the Python package has the version of the API', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(readFileSync(join(folder, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`);
});

describe.skipIf(!hasPython)('the Python client', () => {
  let user: Client;
  beforeAll(async () => {
    user = await createUser();
  });

  describe('for every operation', () => {
    /** Builds the call of a route's method from its sample event and the values of a user. */
    function buildStep(route: Route, as: Client, things: OwnedValues): Step {
      const [group = '', verb = ''] = route.id.split('/').map((part) => part.replaceAll('-', '_'));
      const path = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => things[name] ?? '1');
      if (route.form) {
        const named = {
          file: Buffer.from('The archive is in the cellar.').toString('base64'),
          content_type: 'text/plain',
        };
        return { ...callAs(as, `${group}.${verb}`, ...path), named: { ...named, file_name: 'a "b"\r\n.txt' } };
      }
      const { body } = buildBody(route, things, {});
      return callAs(as, `${group}.${verb}`, ...path, ...(body ? [JSON.parse(String(body))] : []));
    }

    it('sends the request of that operation', async () => {
      const { cursor: _, 'if-match': __, ...things } = await createEverything(user);
      const worker = await createWorker(user, ['read', 'write', 'logs', 'runtime', 'chat', 'events', 'webhooks']);
      const ordered = routes.toSorted(
        (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
      );
      const results = await runSteps(
        ordered.map((route) => buildStep(route, route.workersOnly ? worker : user, things)),
      );
      const called = await Promise.all(
        results.map(async ({ request_id, error }) => {
          const headers = new Headers({ 'x-request-id': request_id ?? error?.request_id ?? '' });
          return (await readLog({ headers } as Reply)).line.route;
        }),
      );
      expect(called).toEqual(ordered.map(({ id }) => id));
      const failed = ordered.flatMap(({ id }, i) => {
        const { error, failed } = results[i] ?? {};
        return error || failed ? [`${id} ${error?.status ?? failed}`] : [];
      });
      // These need a vendor, a server of LiveKit, or something else than what was created; the last two are gone by then.
      expect(failed.filter((one) => !/ (404|409|422|424)$/.test(one))).toEqual([]);
      expect(failed.length, failed.join()).toBeLessThan(12);
    });
  });

  it('follows cursors to the end, of both kinds', async () => {
    const fresh = await createUser();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await createAssistant(fresh)).body.id);
    for (const room_name of ['a', 'b', 'c'])
      await fresh.post('/logs/call-logs', { assistant_id: ids[0], room_name, transcript: [] });
    const [assistants, sessions, events] = await runSteps([
      { ...callAs(fresh, 'assistants.iterate'), named: { limit: 1 } },
      { ...callAs(fresh, 'logs.iterate_sessions'), named: { limit: 2 } },
      { ...callAs(fresh, 'events.iterate'), named: { limit: 2, settled: false } },
    ]);
    expect(listReturned<Assistant>(assistants).map(({ id }) => id)).toEqual(ids);
    expect(listReturned<{ room_name: string }>(sessions).map(({ room_name }) => room_name)).toEqual(['c', 'b', 'a']);
    expect(listReturned(events)).toHaveLength(6);
  });

  it('changes only what was read, and says who was faster', async () => {
    const { body, headers } = await createAssistant(user);
    const update = (name: string) => ({
      ...callAs(user, 'assistants.update', body.id, { name }),
      named: { if_match: headers.get('etag') ?? '' },
    });
    const [first, second] = await runSteps([update('First'), update('Second')]);
    expect(first).toMatchObject({ returned: { name: 'First' }, etag: expect.any(String) });
    expect(second?.error).toMatchObject({ status: 412, type: 'precondition_failed', is_temporary: false });
    expect(second?.error?.request_id).toEqual(expect.any(String));
  });

  it('lists all faults of a request in one error', async () => {
    const [result] = await runSteps([callAs(user, 'assistants.create', { name: 7 })]);
    expect(result?.error).toMatchObject({ status: 422, faults: [{ loc: ['body', 'name'] }, {}] });
    expect(result?.error?.message).toMatch(/^422: body\.name: Input should be a valid string; body\./);
  });

  it('retries with the same Idempotency-Key, after Retry-After', async () => {
    const busy = json(
      503,
      { detail: [{ loc: ['service'], msg: 'Busy', type: 'unavailable' }] },
      { 'retry-after': '1' },
    );
    const fake = await startFake(inTurn(busy, (response) => response.socket?.destroy(), json(200, { id: 'new' })));
    const [result] = await runSteps([callFake(fake.base, 'assistants.create', [minimal])]);
    expect(result?.returned).toEqual({ id: 'new' });
    expect(result?.seconds).toBeGreaterThan(1);
    const keys = fake.requests.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it('gives up if it should wait too long, and tells for how long', async () => {
    const limit = { detail: [{ loc: ['service'], msg: 'The limit of the day', type: 'quota_exceeded' }] };
    const fake = await startFake(json(429, limit, { 'retry-after': '3600' }));
    const [result] = await runSteps([callFake(fake.base, 'assistants.list')]);
    expect(result?.error).toMatchObject({ status: 429, type: 'quota_exceeded', retry_after: 3600 });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    ['completions.create', chat],
    ['search.answer', { assistant_id: randomUUID(), query: 'When?' }],
    ['mcp.serve', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_answer' } }],
  ])('never repeats %s if it may have been carried out', async (method, body) => {
    const fake = await startFake(inTurn(json(429, {}, { 'retry-after': '0' }), json(504, {}), json(200, {})));
    const [result] = await runSteps([callFake(fake.base, method, [body])]);
    expect([result?.error?.status, fake.requests.length]).toEqual([504, 2]);
  });

  it('retries after an error that is cut short or never ends', async () => {
    const begin =
      (then: (response: ServerResponse) => void): Answer =>
      (response) => {
        response.writeHead(503, { 'content-type': 'application/json' });
        response.write('{"detail": [', () => then(response));
      };
    const cut = begin((response) => response.socket?.destroy());
    const hang = begin(() => undefined);
    const fake = await startFake(inTurn(cut, hang, json(200, []), cut, hang));
    const list = (tries: number) => callFake(fake.base, 'assistants.list', [], { timeout: 1, tries });
    const results = await runSteps([list(4), list(1), list(1)]);
    const error = { status: 503, is_temporary: true, message: expect.stringContaining('"detail"') };
    expect(results).toMatchObject([{ returned: [] }, { error }, { error }]);
  });

  it('obeys x-should-retry', async () => {
    const fake = await startFake(json(503, {}, { 'x-should-retry': 'false' }));
    await runSteps([callFake(fake.base, 'assistants.list')]);
    expect(fake.requests).toHaveLength(1);
  });

  it('streams an answer, and fails if it ends early or by an error', async () => {
    const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    const script = inTurn(
      stream(': ping\n\n', piece('Grüß '), piece('Gott'), 'data: [DONE]\n\n'),
      stream(piece('Grüß ')),
      stream(piece('Grüß '), 'data: {"error": {"message": "openai is down", "code": "vendor_unavailable"}}\n\n'),
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '1000' });
        response.write(piece('Grüß '), () => response.socket?.destroy());
      },
      stream(piece('Grüß '), 'data: {"choices": [\n\n'),
      stream(piece('Grüß '), 'data: 7\n\n'),
    );
    const fake = await startFake(script);
    const results = await runSteps(Array.from({ length: 6 }, () => callFake(fake.base, 'completions.stream', [chat])));
    expect(results.map((result) => [listReturned(result).length, result.error?.type])).toEqual([
      [2, undefined],
      [1, 'stream_cut'],
      [1, 'vendor_unavailable'],
      [1, 'stream_cut'],
      [1, 'stream_cut'],
      [1, 'stream_cut'],
    ]);
    expect(JSON.parse(fake.requests[0]?.body ?? '')).toMatchObject({ stream: true, model: chat.model });
  });

  it('tells whether an error within a stream may go away', async () => {
    const fail = (code: string) => stream(`data: ${JSON.stringify({ error: { message: 'No', code } })}\n\n`);
    const codes = ['vendor_busy', 'vendor_unavailable', 'unavailable', 'internal', 'vendor_error', 'quota_exceeded'];
    const refusal = stream('data: {"detail": [{"loc": ["service"], "msg": "No", "type": "vendor_error"}]}\n\n');
    const fake = await startFake(inTurn(...codes.map(fail), refusal));
    const results = await runSteps([...codes, ''].map(() => callFake(fake.base, 'completions.stream', [chat])));
    const seen = results.map(({ error }) => [error?.type, error?.is_temporary]);
    expect(seen).toEqual([...codes.map((code, i) => [code, i < 4]), ['vendor_error', false]]);
  });

  it('streams an answer that cites documents until its end', async () => {
    const question = { assistant_id: randomUUID(), query: 'When?' };
    const end = 'data: {"status": "success", "message": "", "data": {"answer": "At eight"}}\n\n';
    const fault = 'data: {"detail": [{"loc": ["service"], "msg": "Down", "type": "unavailable"}]}\n\n';
    const fake = await startFake(
      inTurn(stream('data: {"text": "At"}\n\n', end), stream('data: {"text": "At"}\n\n'), stream(fault)),
    );
    const results = await runSteps(
      Array.from({ length: 3 }, () => callFake(fake.base, 'search.stream_answer', [question])),
    );
    expect(results.map(({ error }) => error?.type)).toEqual([undefined, 'stream_cut', 'unavailable']);
    expect(results[0]?.returned).toHaveLength(2);
  });

  it('never carries its token to another address', async () => {
    const elsewhere = await startFake(json(200, []));
    const fake = await startFake(answer(302, '', { location: `${elsewhere.base}/assistants` }));
    const [result] = await runSteps([callFake(fake.base, 'assistants.list')]);
    expect(result?.error).toMatchObject({ status: 302, message: expect.stringContaining('set the URL of the API') });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each(['va_secret\n', 'va_secret\r\nX-Workspace: other', '', 'va sécret'])(
    'refuses a token that a header cannot hold, without showing it: %j',
    async (token) => {
      const [result] = await runSteps([callFake('http://127.0.0.1:1', 'assistants.list', [], { token })]);
      expect(result?.failed).toMatch(/^The token is empty, or has a space, a line end/);
      expect(result?.failed).not.toContain('secret');
    },
  );

  it.each([
    'api.example.com',
    'ftp://api.example.com',
    'https://user@api.example.com',
    'https://a.example/#',
    'https://a.example/?',
    'https://',
    '',
  ])('refuses an address that is none of an API: %j', async (url) => {
    const [result] = await runSteps([callFake(url, 'assistants.list')]);
    expect(result?.failed).toMatch(/^The URL of the API should be like/);
  });

  it('shows no token in its representation', async () => {
    const program =
      'from voice_assistants import Client; c = Client("https://a.example", "va_secret"); print(vars(c.mcp))';
    const { stdout } = await run('python3', ['-c', program], { env: env() });
    expect(stdout).toContain('https://a.example');
    expect(stdout).not.toContain('va_secret');
  });

  it('ends an attempt that takes too long, also if bytes still come', async () => {
    const fake = await startFake((response, { path }) => {
      if (!path.startsWith('/models')) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    const more = { timeout: 0.5, tries: 1 };
    const results = await runSteps([
      callFake(fake.base, 'assistants.list', [], more),
      callFake(fake.base, 'completions.models', [], more),
    ]);
    for (const { error, seconds } of results) {
      expect(error).toMatchObject({ type: 'no_answer', status: null, is_temporary: true });
      expect(seconds * 1000).toBeLessThan(scaleTimeout(5_000));
    }
  });

  it('fails within seconds if nobody is there', async () => {
    const [result] = await runSteps([callFake('http://127.0.0.1:1', 'assistants.list', [], { tries: 2 })]);
    expect(result?.error).toMatchObject({ type: 'no_answer', message: expect.stringContaining('refused') });
  });

  it('says so if the address belongs to something else', async () => {
    const fake = await startFake(answer(200, '<html>Welcome</html>'));
    const [result] = await runSteps([callFake(fake.base, 'assistants.list')]);
    expect(result?.error).toMatchObject({ type: 'not_json', message: expect.stringContaining('is this the URL') });
  });

  it('keeps an id within its part of the path', async () => {
    const fake = await startFake(json(200, {}));
    const ids = ['', '..', 'a/../b?c=d#e', 'ä'];
    const results = await runSteps(ids.map((id) => callFake(fake.base, 'assistants.get', [id])));
    expect(results.map(({ failed }) => failed)).toEqual([
      "An id should not be ''",
      "An id should not be '..'",
      undefined,
      undefined,
    ]);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/assistants/a%2F..%2Fb%3Fc%3Dd%23e', '/assistants/%C3%A4']);
  });

  it('writes true and false in a query as the API does', async () => {
    const fake = await startFake(json(200, {}));
    const remove = callFake(fake.base, 'knowledge_bases.delete', ['a']);
    await runSteps([true, false].map((force) => ({ ...remove, named: { force } })));
    const paths = fake.requests.map(({ path }) => path.split('?')[1]);
    expect(paths).toEqual(['force=true', 'force=false']);
  });

  it('acts in the workspace that it is given', async () => {
    const fake = await startFake(json(200, []));
    await runSteps([callFake(`${fake.base}/dev/`, 'assistants.list', [], { workspace: 'Zürich' })]);
    const [request] = fake.requests;
    expect([request?.path, request?.headers['x-workspace']]).toEqual(['/dev/assistants', 'Z%C3%BCrich']);
  });
});

describe.skipIf(!hasPython)('verify_webhook', () => {
  const body = JSON.stringify({ type: 'call.completed', data: { id: '7', preview: 'Grüß Gott' } });
  const secrets = [generateWebhookSecret(), 'a plain secret of mine'];
  const toKeys = (...list: string[]) => list.map((secret) => ({ key: parseWebhookSecret(secret).key }));
  const check = (secret: string | string[], headers: object, sent: unknown = body): Step => ({
    webhook: { body: sent, headers, secret },
  });

  it('accepts what the service signs, by each of two secrets', async () => {
    const headers = sign(toKeys(...secrets), 'evt', Date.now(), body);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const results = await runSteps([
      ...secrets.map((secret) => check(secret, headers)),
      check(secrets[0] ?? '', upper),
      check(['another secret', ...secrets], headers),
    ]);
    expect(results.map(({ returned }) => returned)).toEqual(Array(4).fill(JSON.parse(body)));
  });

  it('refuses what was changed, signed by others, or is old', async () => {
    const [secret = ''] = secrets;
    const now = Date.now();
    const signAt = (at: number, id = 'evt') => sign(toKeys(secret), id, at, body);
    const results = await runSteps([
      check(secret, signAt(now), `${body} `),
      check(generateWebhookSecret(), signAt(now)),
      check(secret, { ...signAt(now), 'webhook-id': 'other' }),
      check(secret, { ...signAt(now), 'webhook-signature': 'v1,ä v2,x' }),
      check(secret, signAt(now - 400_000)),
      check(secret, signAt(now + 400_000)),
      check(secret, { ...signAt(now), 'webhook-timestamp': 'NaN' }),
      check(secret, {}),
    ]);
    expect(results.map(({ invalid }) => invalid !== undefined)).toEqual(Array(8).fill(true));
  });

  it('needs the raw body', async () => {
    const [secret = ''] = secrets;
    const [result] = await runSteps([check(secret, {}, JSON.parse(body))]);
    expect(result?.failed).toMatch(/^The body was parsed: pass the raw body/);
  });

  it.each(['', 'whsec_', ['']])('needs a secret: %j', async (secret) => {
    const headers = sign([{ key: '' }], 'evt', Date.now(), body);
    const [result] = await runSteps([check(secret, headers)]);
    expect(result?.failed).toMatch(/^The secret of the webhook is empty/);
  });
});

describe.skipIf(!hasPython)('the examples of the Python client', () => {
  let user: Client;
  let assistant: Assistant;
  beforeAll(async () => {
    user = await createUser();
    assistant = (await createAssistant(user)).body;
  });
  const runExample = async (name: string, ...args: string[]) => {
    const access = { VOICE_ASSISTANTS_URL: user.baseUrl, VOICE_ASSISTANTS_KEY: user.token };
    return (await run('python3', [join(folder, 'examples', name), ...args], { env: env(access) })).stdout;
  };

  it('edit an assistant', async () => {
    expect(await runExample('edit.py', assistant.id, 'Good day')).toContain('It says: Good day');
    expect((await user.get<Assistant>(`/assistants/${assistant.id}`)).body.first_message).toBe('Good day');
  });

  it('list calls', async () => {
    await user.post('/logs/call-logs', {
      assistant_id: assistant.id,
      room_name: 'r',
      transcript: [{ role: 'user', content: 'Hi' }],
    });
    expect(await runExample('calls.py')).toMatch(/^started_at,assistant,seconds,preview\r?\n.*,Hi\r?\n$/);
  });

  it('chat', async () => {
    const vendor = await startReceiver(answerModel({ text: 'We open at eight.' }));
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    await user.put(`/assistants/${assistant.id}`, { llm: { base_url: new URL('/v1', vendor.url).href } });
    expect(await runExample('chat.py', assistant.id, 'When do you open?')).toBe('We open at eight.\n');
    vendor.stop();
  });

  it('receive webhooks', async () => {
    const secret = generateWebhookSecret();
    const port = String(20_000 + Math.floor(Math.random() * 20_000));
    const hook = spawn('python3', [join(folder, 'examples/hook.py')], {
      env: env({ WEBHOOK_SECRET: secret, PORT: port }),
    });
    const body = '{"type": "call.completed", "data": {"id": 7}}';
    const send = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', body, headers });
    await expect
      .poll(() =>
        send({}).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(401);
    const headers = sign([{ key: parseWebhookSecret(secret).key }], 'evt', Date.now(), body);
    expect((await send(headers)).status).toBe(204);
    hook.kill();
    const [output] = await Promise.all([text(hook.stdout), once(hook, 'exit')]);
    expect(output).toBe("call.completed {'id': 7}\n");
  });

  it('are those of the README, too', async () => {
    const [, code = ''] = /```python\n(.*?)```/s.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
    const program = code.replace('http://127.0.0.1:3000', user.baseUrl).replace('va_…', user.token);
    expect((await run('python3', ['-c', program], { env: env() })).stdout).toContain('Desk\n');
  });
});

describe.skipIf(!hasPython)('the Python package', () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-python-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  // Older versions of setuptools need the package wheel, and a test downloads nothing.
  const canBuild = hasModule('pip') && (hasModule('wheel') || hasModule('setuptools.command.bdist_wheel'));
  it.skipIf(!canBuild)('can be installed from the checkout (skipped without wheel)', async () => {
    cpSync(folder, join(dir, 'source'), { recursive: true }); // the build writes into its folder
    const options = ['--no-index', '--no-deps', '--no-build-isolation', '--quiet', '--disable-pip-version-check'];
    await run('python3', ['-m', 'pip', 'install', ...options, '--target', join(dir, 'installed'), join(dir, 'source')]);
    const program = 'import voice_assistants, voice_assistants.types; print(voice_assistants.__file__)';
    const { stdout } = await run('python3', ['-c', program], {
      cwd: dir,
      env: env({ PYTHONPATH: join(dir, 'installed') }),
    });
    expect(stdout.trim()).toBe(join(dir, 'installed/voice_assistants/__init__.py'));
  });

  it.skipIf(!hasModule('mypy'))('passes the strict checks of mypy', async () => {
    const options = ['--strict', '--python-version', '3.10', '--cache-dir', join(dir, 'mypy')];
    const { stdout } = await run('python3', ['-m', 'mypy', ...options, 'voice_assistants', 'examples'], {
      cwd: folder,
    });
    expect(stdout).toContain('Success');
  });
});
