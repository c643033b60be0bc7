import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { postsWithoutKey } from '../../clients/typescript/src/client.ts';
import {
  ApiError,
  type ClientOptions,
  createClient,
  verifyWebhook,
  WebhookError,
} from '../../clients/typescript/src/index.ts';
import { generateWebhookSecret, parseWebhookSecret, sign } from '../../shared/domain/signature.ts';
import { routes } from '../../shared/routes/index.ts';
import { createUser } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { type Answer, answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { answerModel, listEvents, stream } from '../support/vendor.ts';

const started: Receiver[] = [];
afterEach(() => {
  for (const receiver of started.splice(0)) receiver.stop();
});

/** Starts a server that answers by a script, and a client of it. */
async function startScript(script: Answer, options: Partial<ClientOptions> = {}) {
  const receiver = await startReceiver(script);
  started.push(receiver);
  const baseUrl = new URL(receiver.url).origin;
  return { ...receiver, baseUrl, client: createClient({ baseUrl, token: 'secret-token', ...options }) };
}

async function connectUser() {
  const user = await createUser();
  return { user, client: createClient({ baseUrl: user.baseUrl, token: user.token }) };
}

const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** Answers each request by the next script, the last one again and again. */
const inOrder =
  (...scripts: Answer[]): Answer =>
  (response, request, number) =>
    scripts[Math.min(number, scripts.length - 1)]?.(response, request, number);

const busy = jsonAnswer(
  429,
  { detail: [{ loc: ['service'], msg: 'Wait', type: 'too_many_requests' }] },
  { 'retry-after': '0' },
);
const down = jsonAnswer(503, { detail: [] }, { 'retry-after': '0' });
const ok = jsonAnswer(200, { id: 'x' });

describe('the client', () => {
  type Event = {
    body: string | null;
    pathParameters: Record<string, string> | null;
    queryStringParameters: object | null;
  };
  const readEvent = (id: string): Event => JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));

  test.each(routes.map(({ id, method, path }) => ({ id, method, path })))(
    'can call $id',
    async ({ id, method, path }) => {
      const { client, requests } = await startScript(jsonAnswer(200, {}));
      const event = readEvent(id);
      const init = { params: { path: event.pathParameters ?? {}, query: event.queryStringParameters ?? {} } };
      const body = event.body?.startsWith('{') ? { body: JSON.parse(event.body) } : {};
      const send = client[method as 'GET'] as unknown as (path: string, init: object) => Promise<unknown>;
      await send(path, { ...init, ...body });
      expect(requests).toHaveLength(1);
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
      expect(requests[0]?.path).toMatch(pattern);
      expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret-token' });
      const takesKey = method === 'POST' && !postsWithoutKey.includes(path);
      expect(requests[0]?.headers['idempotency-key'] !== undefined).toBe(takesKey);
    },
  );

  test('sends an idempotency key where the document has one', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const posts = Object.entries(paths).filter(([, path]) => (path as { post?: object }).post);
    const isKeyed = ([, path]: [string, unknown]) =>
      JSON.stringify((path as { post: object }).post).includes('idempotency-key"');
    expect(posts.filter((post) => !isKeyed(post)).map(([path]) => path)).toEqual([...postsWithoutKey]);
  });

  test('has the version of the API document', () => {
    const { info } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const { version, dependencies } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
    expect(version).toBe(info.version);
    const { dependencies: own } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(own).toMatchObject(dependencies);
  });

  test.each(['', '.', '..'])('refuses the id "%s", which would lead to another path', async (knowledge_base_id) => {
    const { requests, client } = await startScript(answer(204));
    const path = { assistant_id: randomUUID(), knowledge_base_id };
    const detached = client.DELETE('/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}', {
      params: { path },
    });
    await expect(detached).rejects.toThrow(new RangeError(`knowledge_base_id should not be '${knowledge_base_id}'`));
    expect(requests).toEqual([]);
  });

  test('throws an error with status, type, faults and request id', async () => {
    const { client } = await connectUser();
    const missing = client.GET('/assistants/{assistant_id}', { params: { path: { assistant_id: randomUUID() } } });
    await expect(missing).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      type: 'not_found',
      requestId: expect.any(String),
    });
    const invalid = client.POST('/assistants', { body: { name: '', system_instruction: 'x' } });
    await expect(invalid).rejects.toMatchObject({
      status: 422,
      faults: [{ loc: ['body', 'name'] }],
      message: expect.stringMatching(/^422: body\.name: \S/),
    });
  });

  test('reads every item of a list, in the forms that lists have', async () => {
    const { user, client } = await connectUser();
    for (const name of ['One', 'Two', 'Three']) await createAssistant(user, { name });
    const names: string[] = [];
    for await (const assistant of client.list('/assistants', { query: { limit: 2 } })) names.push(assistant.name);
    expect(names).toEqual(['Three', 'Two', 'One']);
    const types: string[] = [];
    for await (const event of client.list('/logs/audit', { query: { limit: 2, type: 'assistant.*' } }))
      types.push(event.type);
    expect(types).toEqual(['assistant.created', 'assistant.created', 'assistant.created']);
  });

  test('refuses an address that is none, and a token that no header can hold', async () => {
    for (const baseUrl of ['', 'api.example.com', 'ftp://a.b', 'https://u:p@a.b', 'https://a.b?c=d'])
      expect(() => createClient({ baseUrl, token: 'x' })).toThrow('baseUrl must be the address of the API');
    const missing = { baseUrl: 'https://api.example.com', token: undefined as never };
    expect(() => createClient(missing)).toThrow('token must be a token or an API key');
    for (const token of ['', 'a b', 'a\nb: c', 'ä']) {
      const { client, requests } = await startScript(ok, { token });
      await expect(client.GET('/protected')).rejects.toThrow('The token is empty, or has a space or line break');
      expect(requests).toHaveLength(0);
    }
  });

  test('asks a function for the token of each attempt', async () => {
    let number = 0;
    const { client, requests } = await startScript(inOrder(busy, ok), { token: () => `token-${++number}` });
    await client.GET('/protected');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('names the workspace', async () => {
    const { client, requests } = await startScript(ok, { workspace: 'clinic' });
    await client.GET('/protected');
    expect(requests[0]?.headers['x-workspace']).toBe('clinic');
  });
});

describe('a retry', () => {
  test('keeps its idempotency key and its body', async () => {
    const { client, requests } = await startScript(inOrder(down, busy, ok));
    await client.POST('/assistants', { body: minimal });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(minimal)]));
  });

  test('keeps the key of the caller', async () => {
    const { client, requests } = await startScript(inOrder(busy, ok));
    await client.POST('/assistants', { params: { header: { 'Idempotency-Key': 'mine' } }, body: minimal });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });

  test('waits as long as the API asks, and not beyond ten seconds', async () => {
    const slow = jsonAnswer(429, {}, { 'retry-after': '1' });
    const { client, requests } = await startScript(inOrder(slow, jsonAnswer(429, {}, { 'retry-after': '3600' })));
    const startedAt = performance.now();
    await expect(client.GET('/assistants')).rejects.toMatchObject({ status: 429, retryAfter: 3600 });
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    expect(requests).toHaveLength(2);
  });

  const params = { path: { assistant_id: randomUUID() }, header: { 'If-Match': '"1-a"' } };
  const body = { model: 'x', messages: [] };
  test.each<[string, number, (client: ReturnType<typeof createClient>) => Promise<unknown>]>([
    ['a read', 2, (client) => client.GET('/assistants')],
    ['a write that replaces', 2, (client) => client.PUT('/usage/prices', { body: { prices: [] } as never })],
    ['a write with If-Match', 1, (client) => client.PUT('/assistants/{assistant_id}', { params, body: {} })],
    ['an answer of a model', 1, (client) => client.POST('/chat/completions', { body })],
  ])('after a server error is made of what has no second effect: %s', async (_, attempts, send) => {
    const { client, requests } = await startScript(inOrder(down, ok));
    await send(client).catch(() => undefined);
    expect(requests).toHaveLength(attempts);
  });

  test('is made of everything that was throttled, unless the API forbids it', async () => {
    const { client, requests } = await startScript(inOrder(busy, ok));
    await client.POST('/chat/completions', { body });
    expect(requests).toHaveLength(2);
    const final = jsonAnswer(429, {}, { 'retry-after': '0', 'x-should-retry': 'false' });
    const other = await startScript(inOrder(final, ok));
    await expect(other.client.POST('/chat/completions', { body })).rejects.toMatchObject({ status: 429 });
    expect(other.requests).toHaveLength(1);
  });

  test('follows a lost response', async () => {
    const { client, requests } = await startScript(
      inOrder((response) => response.socket?.destroy(), ok),
      { retries: 1 },
    );
    await client.GET('/assistants');
    expect(requests).toHaveLength(2);
  });
});

describe('a request that gets no answer', () => {
  test('fails after the timeout, and with the reason of an abort', async () => {
    const silent: Answer = () => {};
    const { client, baseUrl } = await startScript(silent, { timeoutMs: 100, retries: 0 });
    await expect(client.GET('/protected')).rejects.toMatchObject({
      status: 0,
      message: `No answer from ${baseUrl}: timed out`,
    });
    const controller = new AbortController();
    const patient = await startScript(silent);
    const request = patient.client.GET('/protected', { signal: controller.signal });
    await expect.poll(() => patient.requests.length).toBe(1);
    controller.abort(new Error('Enough'));
    await expect(request).rejects.toThrow('Enough');
  });

  test('fails if the server is gone, or answers no JSON', async () => {
    const { client, baseUrl } = await startScript(inOrder(answer(200, '<html>'), answer(404, '<html>')), {
      retries: 0,
    });
    const tell = async (asked = client) => {
      const error = await asked.GET('/protected').catch((thrown: unknown) => thrown);
      return error instanceof ApiError ? [error.status, error.message] : error;
    };
    expect(await tell()).toEqual([0, `The answer of ${baseUrl} is not JSON: is this the URL of the API?`]);
    expect(await tell()).toEqual([404, '404: no explanation: is this the URL of the API?']);
    const gone = await startScript(ok, { retries: 0 });
    gone.stop();
    expect(await tell(gone.client)).toEqual([0, `No answer from ${gone.baseUrl}: ECONNREFUSED`]);
  });

  test('never takes the token to another origin', async () => {
    const other = await startScript(ok);
    const { client, baseUrl } = await startScript(answer(307, '', { location: other.url }));
    await expect(client.GET('/protected')).rejects.toThrow(
      `${baseUrl} redirects: set baseUrl to the address of the API`,
    );
    expect(other.requests).toHaveLength(0);
  });
});

describe('a streamed answer', () => {
  const question: { model: string; messages: { role: 'user'; content: string }[] } = {
    model: 'x',
    messages: [{ role: 'user', content: 'When do you open?' }],
  };

  /** Returns the text of a streamed answer. */
  async function readText(client: ReturnType<typeof createClient>, body: typeof question = question) {
    let text = '';
    for await (const { choices } of client.streamCompletion(body)) text += choices[0]?.delta.content ?? '';
    return text;
  }

  test('comes piece by piece from an assistant', async () => {
    const vendor = await startScript(answerModel({ text: 'At nine, every day.' }));
    const { user, client } = await connectUser();
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    const { body } = await createAssistant(user, { llm: { base_url: `${vendor.baseUrl}/v1` } });
    expect(await readText(client, { ...question, model: body.id })).toBe('At nine, every day.');
  });

  test('is an error if it breaks off, or tells one', async () => {
    const half = listEvents({ text: 'Half' }).slice(0, -1);
    const { client } = await startScript(stream(...half));
    await expect(readText(client)).rejects.toMatchObject({ name: 'ApiError', type: 'stream_ended' });
    const told = await startScript(stream('data: {"error":{"message":"Overloaded","code":"vendor_busy"}}\n\n'));
    await expect(readText(told.client)).rejects.toMatchObject({
      type: 'vendor_busy',
      message: '502: service: Overloaded',
    });
    const cut = await startScript((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(half[1] ?? '', () => response.socket?.destroy());
    });
    await expect(readText(cut.client)).rejects.toMatchObject({ name: 'ApiError', status: 0, type: 'stream_ended' });
  });

  test('ends the request if the caller stops', async () => {
    let isClosed = false;
    const endless: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(listEvents({ text: 'One, two' }).slice(0, 2).join(''));
      response.on('close', () => {
        isClosed = true;
      });
    };
    const { client } = await startScript(endless);
    for await (const { choices } of client.streamCompletion(question)) if (choices[0]?.delta.content) break;
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('a webhook', () => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a secret of my own', generateWebhookSecret()];
  const body = JSON.stringify({ type: 'call.completed', id: 'e1', data: { id: 'c1' } });
  const signWith = (secret: string, sentAt = Date.now(), text = body) =>
    sign([{ key: parseWebhookSecret(secret).key }], 'e1', sentAt, text);

  test.each(secrets)('that the service signed is valid: %s', async (secret) => {
    const headers = signWith(secret);
    expect(await verifyWebhook({ secret, headers, body })).toEqual(JSON.parse(body));
    const others = {
      secret: ['other-secret-00', secret],
      headers: new Headers(headers),
      body: new TextEncoder().encode(body),
    };
    expect((await verifyWebhook(others)).type).toBe('call.completed');
  });

  test('agrees with the library of Standard Webhooks', async () => {
    const [secret = ''] = secrets;
    const now = new Date();
    const headers = {
      'Webhook-Id': 'e1',
      'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
      'Webhook-Signature': `v1a,other ${new Webhook(secret).sign('e1', now, body)}`,
    };
    expect(await verifyWebhook({ secret, headers, body })).toMatchObject({ id: 'e1' });
  });

  test('is refused if anything is different', async () => {
    const [secret = '', other = ''] = secrets;
    const headers = signWith(secret);
    const refused = [
      { secret: other, headers, body },
      { secret, headers, body: `${body} ` },
      { secret, headers: { ...headers, 'webhook-id': 'e2' }, body },
      { secret, headers: signWith(secret, Date.now() - 301_000), body },
      { secret, headers: signWith(secret, Date.now() + 301_000), body },
      { secret, headers: { ...headers, 'webhook-timestamp': 'now' }, body },
      { secret, headers: { ...headers, 'webhook-signature': 'v1,!' }, body },
      { secret, headers: {}, body },
    ];
    for (const delivery of refused) await expect(verifyWebhook(delivery)).rejects.toThrow(WebhookError);
  });

  test.each([{ id: 'e1' }, undefined, []])('with the parsed body %j is an error of its own', async (parsed) => {
    const [secret = ''] = secrets;
    const delivery = { secret, headers: signWith(secret), body: parsed as never };
    await expect(verifyWebhook(delivery)).rejects.toThrow('pass the raw body of the request');
  });

  test.each(['', ' ', 'whsec_', undefined as never, []])(
    'with the empty secret %j is an error of its own',
    async (secret) => {
      await expect(verifyWebhook({ secret, headers: signWith('x'), body })).rejects.toThrow(TypeError);
    },
  );
});
