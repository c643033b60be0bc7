import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { createGateway, type Invocable } from '../../infra/local/gateway/gateway.ts';
import { createThrottle } from '../../infra/local/gateway/throttle.ts';
import { lambdaResolvers } from '../../infra/local/lambda/aliases.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { findRunningServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { Assembly, type Resource } from '../../infra/local/template.ts';
import { fetchWithRetry } from '../../infra/terminal/fetch-with-retry.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { buildAliasResources } from '../support/alias-resources.ts';
import { createClient, createUser, deployed, listFaults, type Reply, send } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { runJob } from '../support/create-everything.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { eventually, scaleTimeout } from '../support/timeouts.ts';

const user = await createUser();
const authorization = `Bearer ${user.token}`;
const { body: assistant } = await createAssistant(user);

/** Prefixes of the API: none, as behind a custom domain, and locally also the stage's name. */
const prefixes = deployed ? [''] : ['', '/dev'];

const call = { assistant_id: assistant.id, room_name: 'gateway', transcript: [] };
const { data: session } = (await user.post<{ data: { id: string } }>('/logs/call-logs', call)).body;

const { data: key } = (await user.post<{ data: { id: string } }>('/api-keys', { name: 'w', scopes: ['read'] })).body;

const knowledgeBase = await uploadAndWait(user, 'text');

await user.post(`/assistants/${assistant.id}/versions`, { live: false });

const job_id = await runJob(user, assistant.id); // before the webhook, which would fail to get its events

const hook = { url: 'https://webhooks.invalid', events: ['*'] };
const { data: webhook } = (await user.post<{ data: { id: string } }>('/webhooks', hook)).body;

const values: Record<string, string> = {
  assistant_id: assistant.id,
  session_id: session.id,
  service_type: 'openai',
  api_key_id: key.id,
  knowledge_base_id: knowledgeBase.id,
  webhook_id: webhook.id,
  event_id: webhook.id,
  tool_name: 'look_up',
  version: '1',
  job_id,
};

/** Returns a body without the address of a job's answers: each response has another signature. */
function withoutAddress(body: unknown): unknown {
  const { data } = (body ?? {}) as { data?: { answers?: unknown } };
  return data?.answers ? { ...(body as object), data: { ...data, answers: null } } : body;
}

/** Every path and its methods. */
const methodsByPath = Object.entries(
  Object.groupBy(routes, ({ path }) => path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')) as Record<
    string,
    { method: string }[]
  >,
).map(([path, found]) => [path, found.map(({ method }) => method)] as const);

const origin = getSettings('dev').corsOrigins[0] ?? '';

function expectError(reply: Reply, status: number, fault: string) {
  expect(reply.status).toBe(status);
  expect(listFaults(reply)).toEqual([fault]);
  const [{ loc, msg, type, ...others }] = (reply.body as { detail: [Record<string, unknown>] }).detail;
  expect([typeof msg, others]).toEqual(['string', {}]);
  expect([loc, type]).toEqual([fault.split(': ')[0]?.split('.'), fault.split(': ')[1]]);
  expect(Object.keys(reply.body as object)).toEqual(['detail']);
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('x-request-id')).toMatch(/\S/);
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

describe('an unknown path', () => {
  it.each([
    '',
    '/',
    '/nowhere',
    '/favicon.ico',
    '/Assistants',
    '/assistants.json',
    `/assistants/${assistant.id}/nowhere`,
    `/assistants/${assistant.id}/language-config/nowhere`,
    '/protected/nowhere',
    '/chat/completion',
    '/dev2/assistants',
    '/development',
    '/dev/dev/assistants',
    '/__proto__',
    '/constructor',
    '/%7Bproxy+%7D',
  ])('returns 404 for every method, with and without a token: %s', async (path) => {
    for (const prefix of prefixes) {
      expectError(await send('GET', prefix + path), 404, 'path: not_found');
      for (const sent of [authorization, 'Bearer canary']) {
        expectError(await send('GET', prefix + path, { headers: { authorization: sent } }), 404, 'path: not_found');
      }
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        expectError(await send(method, prefix + path, { headers: { authorization } }), 404, 'path: not_found');
      }
    }
  });

  it('refers to the list of all paths', async () => {
    expect((await send('GET', '/')).text).toContain('No such path: the console lists them all at /docs');
  });

  it('returns 404 for any content type and body', async () => {
    const reply = await send('POST', '/nowhere', { headers: { 'content-type': 'canary/canary' }, body: '{canary' });
    expectError(reply, 404, 'path: not_found');
    expect(reply.text).not.toContain('canary');
    expect((await send('HEAD', '/nowhere')).status).toBe(404);
  });
});

describe('a known path', () => {
  it.each(methodsByPath)('%s accepts %j, and returns 405 with this list for other methods', async (path, methods) => {
    const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'].filter((method) => !methods.includes(method));
    for (const address of prefixes.flatMap((prefix) => [prefix + path, `${prefix}${path}/`])) {
      for (const method of others) {
        const headers = { authorization: method === 'PATCH' ? 'Bearer canary' : authorization };
        const reply = await send(method, address, { headers: address === path ? {} : headers });
        expect(reply.status).toBe(405);
        expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...methods, 'OPTIONS'].sort());
        expect(reply.headers.get('x-request-id')).toMatch(/\S/);
        if (method === 'HEAD') expect(reply.text).toBe('');
        else expectError(reply, 405, 'path: method_not_allowed');
      }
    }
  });

  it.each(methodsByPath)(
    '%s responds the same with a trailing slash and under the stage name: %j',
    async (path, methods) => {
      if (!methods.includes('GET')) return;
      const expected = path.endsWith('/runtime-config') ? 403 : 200; // only for API keys
      const compare = async () => {
        const replies = await Promise.all(
          prefixes.flatMap((prefix) => [prefix + path, `${prefix}${path}/`]).map((address) => user.get(address)),
        );
        for (const { status, body, headers } of replies)
          expect([status, withoutAddress(body), headers.get('location')]).toEqual([
            expected,
            withoutAddress(replies[0]?.body),
            null,
          ]);
      };
      // The service itself may add an event, or deliver one, between the requests.
      await (/^\/(?:events|logs\/audit|webhooks)\b/.test(path) ? eventually(compare) : compare());
    },
  );

  it('accepts the same methods with an invalid id', async () => {
    const { headers } = await send('PATCH', '/assistants/canary');
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'OPTIONS', 'PUT']);
  });
});

describe('a browser', () => {
  const sendPreflight = (path: string, from: string, method = 'PUT', headers = {}) =>
    send('OPTIONS', path, {
      headers: {
        ...headers,
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, content-type, if-match',
      },
    });

  const parseList = (value: string | null) => value?.toLowerCase().split(/, */).sort();

  it.each(methodsByPath)('gets a preflight response for %s from a configured origin: %j', async (path, methods) => {
    for (const prefix of prefixes) {
      const { status, headers, text } = await sendPreflight(prefix + path, origin);
      expect([status, text]).toEqual([200, '']);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(expect.arrayContaining([...methods]));
      expect(parseList(headers.get('access-control-allow-headers'))).toEqual(
        ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'x-workspace'].sort(),
      );
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(headers.get('vary')).toContain('Origin');
      expect(headers.get('x-request-id')).toMatch(/\S/);
    }
  });

  it("may send the headers of OpenAI's client, and no others", async () => {
    const { headers } = await send('OPTIONS', '/chat/completions', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'authorization,x-canary,X-Stainless-OS, x-stainless-retry-count,x-stainless-os,x-stainless-a b',
      },
    });
    const allowed = parseList(headers.get('access-control-allow-headers'));
    expect(allowed?.filter((name) => name.startsWith('x-stainless'))).toEqual([
      'x-stainless-os',
      'x-stainless-retry-count',
    ]);
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const many = await send('OPTIONS', '/assistants', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': letters.map((letter) => `x-stainless-${letter}`).join(),
      },
    });
    expect(many.headers.get('access-control-allow-headers')?.match(/x-stainless/g)).toHaveLength(20);
  });

  it.each([
    'https://canary.example',
    `${origin}.canary.example`,
    origin.replace('http:', 'https:'),
    'null',
    `${origin}/`,
  ])('gets no CORS headers from another origin: %s', async (from) => {
    // Browsers send preflights without a token. The local host refuses those of pages of other machines.
    const authorization = 'Bearer x';
    const replies = [
      await sendPreflight('/assistants', from, 'POST', { authorization }),
      await user.get('/protected', { origin: from }),
      await send('GET', '/protected', { headers: { origin: from, authorization } }),
      await user.get('/nowhere', { origin: from }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 404]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('access-control-expose-headers')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('can read every response, error and API header from a configured origin', async () => {
    const from = { origin };
    const path = `/assistants/${assistant.id}`;
    const { headers: first } = await user.get(path);
    const replies = [
      await user.get('/protected', from),
      await user.get('/assistants', from),
      await user.get(path, from),
      await user.get(path, { ...from, 'if-none-match': first.get('etag') ?? '' }),
      await send('GET', '/protected', { headers: from }),
      await user.get('/nowhere', from),
      await user.post(path, {}, from),
      await user.put(path, { name: 'New' }, { ...from, 'if-match': '"foreign"' }),
      await user.put(path, { llm: { k: 'x'.repeat(310_000) } }, from),
      await user.put(path, {}, { ...from, 'content-type': 'text/plain' }),
      await user.put(path, { name: '' }, from),
      await user.get('/assistants/01980000-0000-7000-8000-000000000000', from),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 304, 401, 404, 405, 412, 413, 415, 422, 404]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toContain('Origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(parseList(headers.get('access-control-expose-headers'))).toEqual(
        [
          'etag',
          'idempotent-replay',
          'link',
          'location',
          'ratelimit',
          'ratelimit-policy',
          'retry-after',
          'x-ignored-fields',
          'x-did-you-mean',
          'x-template-unknown',
          'x-request-id',
          'x-should-retry',
        ].sort(),
      );
    }
  });

  it('gets Vary: Origin even without sending an origin', async () => {
    expect((await user.get('/protected')).headers.get('vary')).toContain('Origin');
    expect((await send('GET', '/nowhere')).headers.get('vary')).toContain('Origin');
  });

  it('gets the allowed methods from OPTIONS without an origin', async () => {
    const { status, headers, text } = await send('OPTIONS', '/assistants');
    expect([status, text, headers.get('allow')]).toEqual([200, '', expect.stringContaining('POST')]);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every response', () => {
  it('has a unique request id and a Cache-Control header', async () => {
    const path = `/assistants/${assistant.id}`;
    const etag = (await user.get(path)).headers.get('etag') ?? '';
    const gone = (await createAssistant(user)).body.id;
    const cached = [
      await createAssistant(user),
      await user.get(path),
      await user.get(path, { 'if-none-match': etag }),
      await user.put(path, {}),
    ];
    const uncached = [
      await user.get('/protected'),
      await user.get('/assistants'),
      await user.get(`${path}/language-config`),
      await user.delete(`/assistants/${gone}`),
      await user.delete(`/assistants/${gone}`),
      await send('GET', '/protected'),
      await send('GET', '/nowhere'),
      await send('HEAD', '/protected'),
      await send('OPTIONS', '/protected'),
      await user.post('/assistants', {}),
      await user.post('/assistants', {}, { 'content-type': 'text/plain' }),
    ];
    expect(cached.map(({ status }) => status)).toEqual([200, 200, 304, 200]);
    expect(uncached.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 401, 404, 405, 200, 422, 415]);
    for (const { headers } of cached) expect(headers.get('cache-control')).toBe('private, no-cache');
    for (const { headers } of uncached) expect(headers.get('cache-control')).toBe('no-store');
    const ids = [...cached, ...uncached].map(({ headers }) => headers.get('x-request-id'));
    expect(ids).not.toContain(null);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the same bytes for the same ETag, which is strong (RFC 9110, 8.8.1)', async () => {
    const { headers, text } = await createAssistant(user);
    const path = headers.get('location')?.replace(/^.*(?=\/assistants\/)/, '') ?? '';
    for (let i = 0; i < 10; i++) {
      const again = await user.get(path);
      expect([again.headers.get('etag'), again.text]).toEqual([headers.get('etag'), text]);
    }
  });

  it('ignores the request id of the client', async () => {
    const { headers } = await user.get('/protected', { 'x-request-id': 'canary' });
    expect(headers.get('x-request-id')).not.toContain('canary');
  });
});

describe('compression', () => {
  const large = { llm: { k: 'x'.repeat(2_000) } };

  it('applies to responses over 1 KB if the client accepts gzip', async () => {
    const { body } = await createAssistant(user, large);
    const path = `/assistants/${body.id}`;
    const plain = await user.get(path, { 'accept-encoding': 'identity' });
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate, gzip']) {
      const { headers, body: read } = await user.get(path, { 'accept-encoding': accepted });
      expect([headers.get('content-encoding'), read]).toEqual(['gzip', plain.body]);
      expect(Number(headers.get('content-length'))).toBeLessThan(plain.text.length);
    }
    const small = await user.get('/protected', { 'accept-encoding': 'gzip' });
    expect([small.status, small.headers.get('content-encoding')]).toEqual([200, null]);
  });

  it.each(['br', 'gzip;q=0', 'xgzip'])('does not apply if the client only accepts %s', async (accepted) => {
    const { body } = await createAssistant(user, large);
    const { headers } = await user.get(`/assistants/${body.id}`, { 'accept-encoding': accepted });
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('applies to errors', async () => {
    const wrong = { ...minimal, llm: { k: Array(200).fill('\0') } };
    const { status, headers, body } = await user.post<{ detail: object[] }>('/assistants', wrong, {
      'accept-encoding': 'gzip',
    });
    expect([status, headers.get('content-encoding'), body.detail.length]).toEqual([422, 'gzip', 100]);
  });

  const putZipped = (body: Uint8Array<ArrayBuffer>) =>
    fetchWithRetry(`${inject('baseUrl')}/assistants/${assistant.id}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    }).then(toReply);
  const gzip = (text: string) => new Uint8Array(gzipSync(text));

  it('is accepted in requests', async () => {
    const { status, body } = await putZipped(gzip('{"name":"Zipped 🗜"}'));
    expect([status, body]).toMatchObject([200, { name: 'Zipped 🗜' }]);
  });

  it('does not change the size limit or the validation of a request', async () => {
    expectError(await putZipped(gzip(JSON.stringify({ llm: { k: 'x'.repeat(310_000) } }))), 413, 'body: too_large');
    expectError(await putZipped(gzip('{"name":canary')), 422, 'body: json_invalid');
  });

  it('returns 400 in the error shape if it is damaged', async () => {
    const good = gzip('{"name":"canary"}');
    for (const damaged of [new TextEncoder().encode('{"name":"canary"}'), good.slice(0, -9), good.slice(3)]) {
      const reply = await putZipped(damaged);
      expectError(reply, 400, 'service: bad_request');
      expect(reply.text).not.toContain('canary');
    }
  });

  it('is rejected if it expands to 200 MB', async () => {
    const { status } = await putZipped(new Uint8Array(gzipSync(Buffer.alloc(200 * 2 ** 20), { level: 1 })));
    expect(status).toBe(413);
  });
});

describe.skipIf(deployed)('requests that are large, or many', () => {
  const large = Buffer.alloc(4_700_000, 'a');
  const zipped = { headers: { 'content-encoding': 'gzip' }, body: new Uint8Array(gzipSync(large)) };
  const plain = { body: new Uint8Array(large) };

  /** Serves a gateway whose functions all do the same. `onAdmitted` runs when a request has arrived, before its body is prepared. */
  async function serve(invoke: Invocable['invoke'], onAdmitted = () => {}) {
    const runners = { get: () => ({ invoke }) } as unknown as Parameters<typeof createGateway>[1];
    const assembly = new Assembly(await synthesize(), lambdaResolvers);
    const admit = () => {
      onAdmitted();
      return true;
    };
    const server = createServer(createGateway(assembly, runners, () => {}, admit));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      sendSmall: () => fetch(`${url}/protected`),
      sendLarge: (init: RequestInit = plain, query = '') =>
        fetch(`${url}/assistants${query}`, { method: 'POST', ...init }),
    };
  }

  it('are prepared in turn, while small ones do not wait', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let invoked = 0;
    const { sendSmall, sendLarge } = await serve(async () => {
      invoked += 1;
      begin();
      return { statusCode: 200, body: '' };
    });
    const all = Array.from({ length: 12 }, () => sendLarge(zipped));
    await begun;
    await sendSmall();
    expect(invoked).toBeLessThan(13);
    await Promise.all(all);
    expect(invoked).toBe(13);
  });

  it('are forgotten if their clients leave while they wait', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const waiting: AbortSignal[] = [];
    const { sendSmall, sendLarge } = await serve(async (_event, _write, signal) => {
      if (signal) waiting.push(signal);
      await answered;
      return { statusCode: 200, body: '' };
    });
    const leaving = new AbortController();
    const left = sendLarge({ ...plain, signal: leaving.signal }).catch(() => undefined);
    const stays = sendSmall();
    await expect.poll(() => waiting.length).toBe(2);
    leaving.abort();
    await expect.poll(() => waiting.filter(({ aborted }) => aborted).length).toBe(1);
    answer();
    expect([await left, (await stays).status]).toEqual([undefined, 200]);
  });

  it('are not prepared if their clients leave before it is their turn', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    let admitted = 0;
    let invoked = 0;
    const { sendLarge } = await serve(
      async () => {
        invoked += 1;
        return { statusCode: 200, body: '' };
      },
      () => {
        admitted += 1;
        if (admitted === 12) arrive();
      },
    );
    const leaving = new AbortController();
    const left = Array.from({ length: 12 }, () =>
      sendLarge({ ...zipped, signal: leaving.signal }).catch(() => undefined),
    );
    await arrived;
    leaving.abort();
    await Promise.all(left);
    expect((await sendLarge(zipped)).status).toBe(200); // its turn comes after theirs
    expect(invoked).toBeLessThan(13);
  });

  it.each<[count: number, what: string, query: string, init: RequestInit]>([
    [400, 'small ones', '', {}],
    [153, 'with addresses of 8,000 characters', `?q=${'a'.repeat(8_000)}`, {}],
    [200, 'with bodies of 250 KB', '', { body: new Uint8Array(large.subarray(0, 250_000)) }],
  ])('are refused with 429 while %d %s wait for their function, and for no other', async (count, _, query, init) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { sendSmall, sendLarge } = await serve(async (event) => {
      if ((event as { path: string }).path === '/assistants') await answered;
      return { statusCode: 200, body: '' };
    });
    const statuses: number[] = [];
    const sent = Array.from({ length: count + 20 }, async () => statuses.push((await sendLarge(init, query)).status));
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect((await sendSmall()).status).toBe(200);
    answer();
    await Promise.all(sent);
    const admitted = statuses.filter((status) => status === 200).length;
    expect(Math.abs(admitted - count)).toBeLessThanOrEqual(2);
    expect((await sendLarge()).status).toBe(200);
  });

  it('are refused with 429 while clients have not read 200 MB of answers of their function', async () => {
    const body = 'x'.repeat(5_000_000);
    const { sendSmall, sendLarge } = await serve(async (event) => ({
      statusCode: 200,
      body: (event as { path: string }).path === '/assistants' ? body : '',
    }));
    const get = () => sendLarge({ headers: { 'accept-encoding': 'identity' } });
    const unread: Response[] = []; // but for what fits into buffers
    while (unread.at(-1)?.status !== 429 && unread.length < 100) unread.push(await get());
    expect(unread.at(-1)?.status).toBe(429);
    expect((await sendSmall()).status).toBe(200);
    for (const response of unread) await response.arrayBuffer();
    await expect.poll(async () => (await (await get()).arrayBuffer()).byteLength).toBe(body.length);
  });

  it('are refused with 429 while 44 compressed ones of their function wait for their turn', async () => {
    const { sendSmall, sendLarge } = await serve(async () => ({ statusCode: 200, body: '' }));
    const sent = Array.from({ length: 80 }, () => sendLarge(zipped));
    expect((await sendSmall()).status).toBe(200);
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('wait for their turn, forty compressed ones of one function, and all are answered', async () => {
    const { sendSmall, sendLarge } = await serve(async () => ({ statusCode: 200, body: '' }));
    const small = { ...zipped, body: new Uint8Array(gzipSync('{}')) };
    const waiting = Array.from({ length: 40 }, (_, i) => sendLarge(i % 2 === 0 ? zipped : small));
    expect((await sendSmall()).status).toBe(200);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  });
});

describe.skipIf(deployed)('the API under its stage name', () => {
  it('works, with links that stay under the stage name', async () => {
    const root = createClient(user.sub, user.token);
    const staged = createClient(user.sub, user.token, `${inject('baseUrl')}/dev`);
    expect((await staged.get('/protected')).status).toBe(200);

    const created = await staged.post<Assistant>('/assistants/', minimal);
    const { id } = created.body;
    expect([created.status, created.headers.get('location')]).toEqual([200, `/dev/assistants/${id}`]);
    const second = await staged.post<Assistant>('/assistants', minimal);
    expect(second.headers.get('location')).toBe(`/dev/assistants/${second.body.id}`);
    expect((await root.get(created.headers.get('location') ?? '')).body).toEqual(created.body);
    expect((await staged.get(`/assistants/${id}/`)).body).toEqual(created.body);
    expect((await root.get(`/assistants/${id}`)).body).toEqual(created.body);

    const { body: updated } = await staged.put<Assistant>(`/assistants/${id}`, { name: 'Staged' });
    expect(updated.name).toBe('Staged');
    expect((await staged.get(`/assistants/${id}/language-config`)).body).toMatchObject({ assistant_id: id });

    const page = await staged.get<Assistant[]>('/assistants/?limit=1');
    expect(page.body.map((shown) => shown.id)).toEqual([second.body.id]);
    const [, link = ''] = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
    const next = new URL(link, `${inject('baseUrl')}/dev/assistants/?limit=1`);
    expect(next.pathname).toBe('/dev/assistants/');
    expect((await root.get<Assistant[]>(next.pathname + next.search)).body[0]).toEqual(updated);

    for (const made of [id, second.body.id]) expect((await staged.delete(`/assistants/${made}`)).status).toBe(200);
    expectError(await root.get(`/assistants/${id}`), 404, 'path.assistant_id: not_found');
  });

  it('returns the same errors as at the root', async () => {
    const staged = createClient(user.sub, user.token, `${inject('baseUrl')}/dev`);
    expectError(await staged.get('/assistants/canary'), 422, 'path.assistant_id: uuid_parsing');
    expectError(await send('GET', '/dev/protected'), 401, 'header.authorization: not_authenticated');
  });
});

describe.skipIf(deployed)('requests beyond the throttle of a method', () => {
  it('return 429 in the error shape, do not affect other methods, and succeed when repeated later', async () => {
    const services = await findRunningServices(inject('dataDir'), await synthesize());
    if (!services) throw new Error('No host is running: start the tests with npm test');
    const runners = createFunctionRunners(services, () => {});
    // A limit so low that the slowest machine exceeds it.
    const server = createServer(createGateway(services.assembly, runners, () => {}, createThrottle(1, 5)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const callApi = async () => toReply(await fetch(`${url}/nowhere`, { headers: { origin } }));
    const replies = await Promise.all(Array.from({ length: 100 }, callApi));
    for (const { status } of replies) expect([404, 429]).toContain(status);
    const throttled = replies.filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThan(0);
    expect((await createClient(user.sub, user.token, url).get('/protected')).status).toBe(200);
    for (const reply of throttled) {
      expectError(reply, 429, 'service: too_many_requests');
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(new Set(throttled.map(({ headers }) => headers.get('x-request-id'))).size).toBe(throttled.length);
    expect((await fetchWithRetry(`${url}/nowhere`, {})).status).toBe(404);
    server.closeAllConnections();
    server.close();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
    await services.stop();
  });
});

/** A function that does what the query asks of it. */
const moody = `
  const { hostname } = require('os');
  const { readFileSync } = require('node:fs');
  const { greeting } = require('./beside.js');
  let calls = 0;
  const answer = (body) => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body });
  const never = () => new Promise(() => {});
  const circular = {}; circular.self = circular;
  const moods = {
    well: () => answer(JSON.stringify({ calls: ++calls, greeting, hostname: typeof hostname() })),
    exit: () => process.exit(0),
    abort: () => process.abort(),
    throw: () => { throw new TypeError('canary'); },
    reject: () => Promise.reject('canary'),
    late: () => { setTimeout(() => { throw new Error('canary'); }, 1); return never(); },
    forgotten: () => { Promise.reject(new Error('canary')); return never(); },
    deep: () => { const down = (n) => down(n + 1) + 1; return down(0); },
    heap: () => { const all = []; for (;;) all.push({ of: 'canary' + all.length }); },
    buffers: () => { const all = []; setInterval(() => all.push(Buffer.alloc(40e6, 1)), 20); return never(); },
    never,
    loop: () => { for (;;); },
    nothing: () => undefined,
    null: () => null,
    text: () => 'canary',
    number: () => 200,
    list: () => [answer('{}')],
    empty: () => ({}),
    statusless: () => ({ body: '{"canary":1}' }),
    words: () => ({ statusCode: 'canary' }),
    fraction: () => ({ statusCode: 200.5 }),
    object: () => ({ statusCode: 200, body: { canary: 1 } }),
    circular: () => circular,
    bigint: () => ({ statusCode: 200n }),
    huge: () => answer('x'.repeat(6.5 * 2 ** 20)),
    low: () => ({ statusCode: 7, body: 'canary' }),
    high: () => ({ statusCode: 99999, body: 'canary' }),
    header: () => ({ statusCode: 200, headers: { 'x-canary': 'a\\nb' }, body: 'canary' }),
    name: () => ({ statusCode: 200, headers: { 'x canary': 'a' }, body: 'canary' }),
    headers: () => ({ statusCode: 200, headers: 'canary', body: 'canary' }),
    lazy: () => require('outside'),
    import: () => import('outside'),
  };
  exports.handler = async (event) => moods[event.queryStringParameters.mood]();
`;

/** Functions that fail to start, each in its own bundle. The modules that they miss exist outside of the bundle. */
const brokenFunctions = {
  package: ["require('outside');", '"outside" is not in the bundle, so it will be missing on Lambda'],
  file: ["require('../outside.js');", '"../outside.js" is not in the bundle, so it will be missing on Lambda'],
  neighbour: ["require('../moody/index.js');", '"../moody/index.js" is not in the bundle'],
  nowhere: ["require('nowhere-to-be-found');", "Cannot find module 'nowhere-to-be-found'"],
  setting: [
    "throw new Error('The environment variable CANARY is not set');",
    'The environment variable CANARY is not set',
  ],
  syntax: ['exports.handler = async ( => 1;', 'SyntaxError'],
  exit: ['process.exit(0);', 'The process ended'],
} as const;

const root = join(import.meta.dirname, '..', '..', 'cdk.out', 'local');

/** Builds a cloud assembly of the test functions, with the API, stage and gateway responses of the real one. */
function buildAssembly(dir: string, throttling: { rate: number; burst: number }): Assembly {
  const real = new Assembly(root, {});
  const ofType = (type: string) =>
    real
      .listResources(type)
      .map(({ id, Type, Properties }): [string, Pick<Resource, 'Type' | 'Properties' | 'Metadata'>] => [
        id,
        { Type, Properties },
      ]);
  const resources = Object.fromEntries([
    ...ofType('AWS::ApiGateway::RestApi'),
    ...ofType('AWS::ApiGateway::Stage'),
    ...ofType('AWS::ApiGateway::GatewayResponse'),
  ]);
  for (const resource of Object.values(resources)) {
    if (resource.Type !== 'AWS::ApiGateway::Stage') continue;
    const { rate, burst } = throttling;
    resource.Properties.MethodSettings = [
      { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
    ];
  }
  const addFunction = (
    name: string,
    { bundle = name, seconds = 2, mb = 128, methods = ['GET'], waitMs = 29_000 } = {},
  ) => {
    resources[`${name}Function`] = {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: name,
        Description: name,
        Handler: 'index.handler',
        Timeout: seconds,
        MemorySize: mb,
        Environment: { Variables: {} },
      },
      Metadata: { 'aws:asset:path': bundle },
    };
    Object.assign(resources, buildAliasResources(`${name}Function`));
    resources[`${name}Resource`] = {
      Type: 'AWS::ApiGateway::Resource',
      Properties: { ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, PathPart: name },
    };
    const Uri = { 'Fn::Join': ['', ['path/functions/', { Ref: `${name}FunctionLive` }, '/invocations']] };
    for (const HttpMethod of methods) {
      resources[`${name}${HttpMethod}`] = {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          ResourceId: { Ref: `${name}Resource` },
          HttpMethod,
          Integration: { Uri, TimeoutInMillis: waitMs },
        },
      };
    }
  };
  addFunction('moody', { mb: 512 });
  addFunction('awaited', { bundle: 'moody', mb: 512, waitMs: 1_000 });
  addFunction('greedy', { bundle: 'moody', seconds: 25, methods: ['GET', 'ANY'] });
  for (const name of Object.keys(brokenFunctions)) addFunction(name);

  const manifest = {
    artifacts: { fake: { type: 'aws:cloudformation:stack', properties: { templateFile: 'fake.json' } } },
  };
  const files: Record<string, string> = {
    'manifest.json': JSON.stringify(manifest),
    'fake.json': JSON.stringify({ Resources: resources }),
    'moody/index.js': moody,
    'moody/beside.js': "exports.greeting = 'from the bundle';",
    'outside.js': 'exports.outside = true;',
    'node_modules/outside/index.js': 'exports.outside = true;',
    ...Object.fromEntries(Object.entries(brokenFunctions).map(([name, [source]]) => [`${name}/index.js`, source])),
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return new Assembly(dir, lambdaResolvers);
}

describe.skipIf(deployed)('a failing function', async () => {
  if (deployed) return;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'voice-assistants-gateway-')));
  const assembly = buildAssembly(dir, { rate: 1e-6, burst: 1_000 });
  const accessLog: string[] = [];
  let functionLog = '';
  const runners = createFunctionRunners({ assembly, proxies: { getEndpoints: () => ({}) } }, (chunk) => {
    functionLog += chunk;
  });
  const stops: (() => Promise<unknown>)[] = [];

  async function serve(served: Assembly): Promise<string> {
    const server = createServer(createGateway(served, runners, (line) => accessLog.push(line)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const baseUrl = await serve(assembly);

  afterAll(async () => {
    await Promise.all([...stops.map((stop) => stop()), ...[...runners.values()].map((runner) => runner.stop())]);
    rmSync(dir, { recursive: true });
  });

  const callFunction = (mood: string, name = 'moody') =>
    send<{ calls: number }>('GET', `/${name}?mood=${mood}`, { baseUrl });

  /** Expects an error that suggests a retry and reveals nothing internal. */
  function expectFailure(reply: Reply, status: number, type: string) {
    expectError(reply, status, `service: ${type}`);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.text).toMatch(/may have been carried out: try again \(a POST with the same Idempotency-Key\)/);
    expect(reply.text).not.toMatch(/canary|outside|moody|Error/);
    const entry = accessLog
      .map((line) => JSON.parse(line))
      .find((line) => line.request_id === reply.headers.get('x-request-id'));
    const error = status === 504 ? 'INTEGRATION_TIMEOUT' : 'INTEGRATION_FAILURE'; // AWS has no other for functions
    expect(entry).toMatchObject({ status: String(status), error });
  }

  async function expectSuccess(name = 'moody') {
    const { status, body } = await callFunction('well', name);
    expect([status, body]).toEqual([
      200,
      { calls: expect.any(Number), greeting: 'from the bundle', hostname: 'string' },
    ]);
    return body.calls;
  }

  it('reuses its process while it succeeds', async () => {
    const before = await expectSuccess();
    expect(await expectSuccess()).toBe(before + 1);
  });

  it.each(['exit', 'abort', 'throw', 'reject', 'late', 'forgotten', 'deep'])(
    'returns 502 if it crashes (%s), and the next call gets a new process',
    async (mood) => {
      await expectSuccess();
      expectFailure(await callFunction(mood), 502, 'bad_gateway');
      expect(await expectSuccess()).toBe(1);
    },
  );

  it('logs the reason of a crash', async () => {
    functionLog = '';
    await callFunction('throw');
    expect(functionLog).toMatch(/TypeError: canary/);
  });

  it.each(['never', 'loop'])('returns 504 if it exceeds the gateway timeout (%s)', async (mood) => {
    expectFailure(await callFunction(mood, 'awaited'), 504, 'timeout');
  });

  it.each(['never', 'loop'])(
    'returns 502 if it exceeds its own timeout (%s), and the next call gets a new process',
    async (mood) => {
      await expectSuccess();
      expectFailure(await callFunction(mood), 502, 'bad_gateway');
      expect(await expectSuccess()).toBe(1);
    },
  );

  it.each(process.platform === 'linux' ? ['heap', 'buffers'] : ['heap'])(
    'returns 502 if it exceeds its memory (%s), and the next call gets a new process',
    async (mood) => {
      await expectSuccess('greedy');
      expectFailure(await callFunction(mood, 'greedy'), 502, 'bad_gateway');
      expect(await expectSuccess('greedy')).toBe(1);
    },
  );

  it.each([
    ...['nothing', 'null', 'text', 'number', 'list', 'empty', 'statusless', 'words', 'fraction'],
    ...['object', 'circular', 'bigint', 'huge'],
  ])('returns 502 for an invalid result (%s)', async (mood) => {
    expectFailure(await callFunction(mood), 502, 'bad_gateway');
    await expectSuccess();
  });

  it.each(['low', 'high', 'header', 'name', 'headers'])(
    'returns 502 for a result that HTTP cannot carry (%s), and the host keeps running',
    async (mood) => {
      const response = await fetch(`${baseUrl}/moody?mood=${mood}`, {
        signal: AbortSignal.timeout(scaleTimeout(5_000)),
      });
      expectFailure(await toReply(response), 502, 'bad_gateway');
      await expectSuccess();
    },
  );

  it.each(['lazy', 'import'])('returns 502 if it needs a module outside of its bundle (%s)', async (mood) => {
    functionLog = '';
    expectFailure(await callFunction(mood), 502, 'bad_gateway');
    expect(functionLog).toContain('is not in the bundle, so it will be missing on Lambda');
    await expectSuccess();
  });

  it.each(Object.entries(brokenFunctions))(
    'returns 502 if it does not start (%s), and reports the reason in one sentence',
    async (name, [, why]) => {
      const sentence = await runners
        .get(name)
        ?.warm()
        .then(
          () => 'it started',
          ({ message }) => message,
        );
      expect(sentence).toMatch(new RegExp(`^The function ${name} does not start: [^\\n]+$`));
      expect(sentence).toContain(why);
      expectFailure(await callFunction('well', name), 502, 'bad_gateway');
    },
  );

  it('does not affect concurrent calls', async () => {
    const moods = Array.from({ length: 24 }, (_, i) => ['well', 'exit', 'text', 'throw'][i % 4] ?? '');
    const replies = await Promise.all(moods.map((mood) => callFunction(mood)));
    expect(replies.map(({ status }) => status)).toEqual(moods.map((mood) => (mood === 'well' ? 200 : 502)));
  });

  it('is not called for an unknown path, which returns 404 in the error shape', async () => {
    expectError(await send('GET', '/unknown', { baseUrl }), 404, 'path: not_found');
    expectError(await send('POST', '/moody', { baseUrl }), 404, 'path: not_found');
  });

  describe('behind a stage with a burst limit of three', () => {
    const createStatusReader = (url: string) => async (method: string, paths: string[]) => {
      const statuses: number[] = [];
      for (const path of paths) statuses.push((await fetch(`${url}${path}?mood=well`, { method })).status);
      return statuses;
    };
    const serveStrict = () => serve(buildAssembly(dir, { rate: 1e-6, burst: 3 }));

    it('returns 429 after three requests to a method', async () => {
      const url = await serveStrict();
      const replies: Reply[] = [];
      for (let i = 0; i < 5; i++) replies.push(await toReply(await fetch(`${url}/moody?mood=well`)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      for (const reply of replies.slice(3)) {
        expectError(reply, 429, 'service: too_many_requests');
        expect(reply.headers.get('retry-after')).toBe('1');
      }
    });

    it('limits each method separately', async () => {
      const readStatuses = createStatusReader(await serveStrict());
      const four = (path: string) => Array<string>(4).fill(path);
      expect(await readStatuses('GET', four('/moody'))).toEqual([200, 200, 200, 429]);
      expect(await readStatuses('GET', four('/greedy'))).toEqual([200, 200, 200, 429]);
      expect(await readStatuses('POST', four('/greedy'))).toEqual([200, 200, 200, 429]);
    });

    it('counts all addresses of a method together, and all methods of `ANY` as one', async () => {
      const readStatuses = createStatusReader(await serveStrict());
      expect(await readStatuses('GET', ['/moody', '/dev/moody', '/moody/', '/dev/moody/'])).toEqual([
        200, 200, 200, 429,
      ]);
      expect(await readStatuses('POST', ['/greedy', '/dev/greedy'])).toEqual([200, 200]);
      expect(await readStatuses('PUT', ['/greedy', '/greedy'])).toEqual([200, 429]);
      expect(await readStatuses('DELETE', ['/greedy'])).toEqual([429]);
    });
  });

  it('is not served if the stage has settings for single methods', async () => {
    const odd = buildAssembly(dir, { rate: 1, burst: 1 });
    const [stage] = odd.listResources('AWS::ApiGateway::Stage');
    Object.assign(stage?.Properties ?? {}, { MethodSettings: [{ ResourcePath: '/~1moody', HttpMethod: 'GET' }] });
    await expect(serve(odd)).rejects.toThrow('settings of single methods');
  });

  it.each(['NotFound', 'Throttled', 'BadGateway', 'Timeout', 'BadRequest'])(
    'lets browsers read Retry-After and the request id: %s',
    (name) => {
      const responses = assembly
        .listResources('AWS::ApiGateway::GatewayResponse')
        .filter(({ id }) => id.startsWith(`Api${name}`));
      expect(responses).toHaveLength(1);
      const parameters = responses[0]?.Properties.ResponseParameters as Record<string, string>;
      const exposed = parameters['gatewayresponse.header.access-control-expose-headers'] ?? '';
      expect(exposed.toLowerCase()).toContain('x-request-id');
      expect(exposed.toLowerCase()).toContain('retry-after');
    },
  );
});
