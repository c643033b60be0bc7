import { randomUUID } from 'node:crypto';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { Quota, QuotaLimits } from '../../shared/quotas.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import type { ApiKey, IssuedApiKey } from '../../shared/schemas/api-key.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { QuotaUse } from '../../shared/schemas/quota.ts';
import { scopes } from '../../shared/scopes.ts';
import { toQuotaCountsKey, toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createClient, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createKey } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { buildForm, postForm, uploadAndWait } from '../support/knowledge-bases.ts';
import { startQuotaHost } from '../support/quota-host.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { answerModel } from '../support/vendor.ts';

type QuotaHost = Awaited<ReturnType<typeof startQuotaHost>>;

/** Sends one request that counts, with the headers. */
type Send = (headers?: Record<string, string>) => Promise<Pick<Reply, 'status' | 'headers' | 'text' | 'body'>>;

const vendor = await startReceiver();
afterAll(() => vendor.stop());
beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = (response, request, number) =>
    (request.body === '' ? answer(200, '{}') : answerModel({ text: 'Good day!' }))(response, request, number);
});

/** Creates an assistant that can answer and has a tool and a document. */
async function createAnswering(user: Client, fields: object = {}): Promise<Assistant> {
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
  const project = { url: 'wss://clinic.livekit.cloud', api_key: 'any', api_secret: 'any' };
  await user.post('/user-credentials', { service_type: 'livekit', api_key: JSON.stringify(project) });
  const url = vendor.url.replace(/\/hook$/, '/v1');
  const tools = [
    { type: 'http', name: 'look_up', description: 'Looks it up', http: { url: `${url}/orders/{id}` }, parameters },
  ];
  const llm = { model: 'gpt-4.1-mini', base_url: url };
  const { body, text } = await user.post<Assistant>('/assistants', { ...minimal, llm, tools, ...fields });
  if (!body.id) throw new Error(text);
  return body;
}
const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

const messages = [{ role: 'user', content: 'Hello' }];
const jobMessages = [{ role: 'user', content: 'Hello from a job' }];

/** Returns how often the vendor was asked, except by jobs, which other tests may have left running. */
const countAsked = () => vendor.requests.filter(({ body }) => !body.includes('from a job')).length;

const ask = (user: Client, { id }: Assistant, fields: object = {}) =>
  user.post<object>('/chat/completions', { model: id, messages, ...fields });

const askInJob = (user: Client, { id: model }: Assistant, count: number, headers?: Record<string, string>) =>
  user.post<{ data: { job_id: string } }>(
    '/batch/chat/completions',
    {
      requests: Array.from({ length: count }, (_, i) => ({
        custom_id: String(i),
        body: { model, messages: jobMessages },
      })),
    },
    headers,
  );

const readIdentity = async (user: Client) =>
  (await user.get<{ data: { tier: string | null; quotas: QuotaUse[] } }>('/protected')).body.data;

/** Returns how much of a quota is used, of the tier or of the API key. */
const getUsed = async (user: Client, name: Quota, set_by: QuotaUse['set_by'] = 'tier') =>
  (await readIdentity(user)).quotas.find((one) => one.name === name && one.set_by === set_by)?.used;

const listStatuses = (replies: readonly { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(replies, ({ status }) => status)
      .entries()
      .map(([status, of]) => [status, of.length]),
  );

/** Creates a client of a new API key with all scopes. */
async function createKeyClient(user: Client, quota?: QuotaLimits): Promise<Client & { id: string }> {
  const { body, text } = await createKey(user, [...scopes], { quota });
  if (!body.data?.secret) throw new Error(text);
  return { ...createClient(user.sub, body.data.secret, user.baseUrl), id: body.data.id };
}

/** Reads the counts of an owner, of all days, as they are stored. */
async function readRows(sub: string) {
  const owner = toUserKey((await LocalIssuer.open(inject('dataDir'))).url, sub);
  const client = new DynamoDBClient({ endpoint: inject('dynamoDb'), region: 'us-east-1', credentials });
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: inject('tableName'),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: toQuotaCountsKey(owner, 0).pk } },
    }),
  );
  client.destroy();
  return Items;
}

describe.skipIf(deployed)('quotas', () => {
  let host: QuotaHost;
  beforeAll(async () => {
    host = await startQuotaHost({
      tierClaim: 'plan',
      defaultTier: 'free',
      tiers: {
        free: { completions: 10, search_answers: 2, tool_calls: 2, web_calls: 2, uploads: 2 },
        none: { completions: 0, search_answers: 0, tool_calls: 0, web_calls: 0, uploads: 0 },
        pro: { completions: 1_000 },
      },
    });
  });
  afterAll(() => host?.stop());

  it('let exactly as many requests through as the limit, and leave other owners alone', async () => {
    const [user, other] = [await host.createPerson(), await host.createPerson()];
    const [assistant, others] = [await createAnswering(user), await createAnswering(other)];
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(user, assistant)));
    expect(listStatuses(replies)).toEqual({ 200: 10, 429: 40 });
    expect(countAsked()).toBe(10);
    expect(await getUsed(user, 'completions')).toBe(10);
    expect((await ask(other, others)).status).toBe(200);
    expect(await getUsed(other, 'completions')).toBe(1);
  });

  it('are one for all members of a workspace, and another for their own worlds', async () => {
    const org_id = `team-${randomUUID()}`;
    const claims = { org_id, org_role: 'admin' };
    const [alice, bob] = [await host.createPerson(claims), await host.createPerson(claims)];
    const assistant = await createAnswering(alice);
    expect((await askInJob(alice, assistant, 9)).status).toBe(200);
    expect((await ask(bob, assistant)).status).toBe(200);
    for (const member of [alice, bob]) expect((await ask(member, assistant)).status).toBe(429);
    const own = createClient(bob.sub, bob.token, bob.baseUrl, { 'x-workspace': 'personal' });
    expect(await getUsed(own, 'completions')).toBe(0);
  });

  it('answer 429 that says which limit, what is left, and when it starts anew', async () => {
    const user = await host.createPerson();
    const assistant = await createAnswering(user);
    await askInJob(user, assistant, 10);
    const reply = await ask(user, assistant);
    expect([reply.status, listFaults(reply)]).toEqual([429, ['service.completions: quota_exceeded']]);
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
    const msg = `Your tier's limit of completions is 10 a day, and 10 are used: try again after ${midnight.toISOString()}`;
    expect(reply.body).toMatchObject({
      detail: [{ msg }],
      error: { message: msg, type: 'rate_limit_error', code: 'quota_exceeded', param: null },
    });
    const seconds = Number(reply.headers.get('retry-after'));
    expect(Math.abs(seconds - (midnight.getTime() - Date.now()) / 1000)).toBeLessThan(60);
    expect(reply.headers.get('ratelimit-policy')).toBe('"completions";q=10;w=86400');
    expect(reply.headers.get('ratelimit')).toBe(`"completions";r=0;t=${seconds}`);
    const preflighted = await user.post('/chat/completions', { model: assistant.id, messages }, { origin });
    const exposed = preflighted.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after', 'x-should-retry']));
  });
  const origin = 'http://localhost:5173';

  it("are told to OpenAI's client, which does not try again, streamed or not", async () => {
    const user = await host.createPerson({ plan: 'none' });
    const assistant = await createAnswering(user);
    let sent = 0;
    const counting: typeof fetch = (...request) => {
      sent += 1;
      return fetch(...request);
    };
    const client = new OpenAI({ baseURL: user.baseUrl, apiKey: user.token, fetch: counting });
    for (const stream of [false, true]) {
      const failed = client.chat.completions.create({ model: assistant.id, messages: messages as never, stream });
      await expect(failed).rejects.toMatchObject({ status: 429, code: 'quota_exceeded' });
    }
    expect(sent).toBe(2);
    expect(countAsked()).toBe(0);
  });

  it('count for the tier that a claim names, the highest of several, and the default one for anything else', async () => {
    const cases: [unknown, string][] = [
      ['pro', 'pro'],
      [['none', 'pro', 'free', 'x'], 'pro'],
      [['x', 'none'], 'none'],
      ['', 'free'],
      ['gold', 'free'],
      ['PRO', 'free'],
      ['__proto__', 'free'],
      ['constructor', 'free'],
      [[['pro']], 'free'],
      [{ pro: true }, 'free'],
      [{ length: 1, 0: 'pro' }, 'free'],
      [1, 'free'],
      [null, 'free'],
      [true, 'free'],
      ['pro\0', 'free'],
      [Array(500).fill('x'), 'free'],
    ];
    for (const [plan, tier] of cases)
      expect([plan, (await readIdentity(await host.createPerson({ plan }))).tier]).toEqual([plan, tier]);
    expect((await readIdentity(await host.createPerson())).tier).toBe('free');
  });

  it('are shown by /protected, those with a limit only', async () => {
    const user = await host.createPerson({ plan: 'pro' });
    const resets_at = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
    const quotas = [{ name: 'completions', set_by: 'tier', limit: 1_000, used: 0, resets_at }];
    expect(await readIdentity(user)).toMatchObject({ tier: 'pro', quotas });
    await ask(user, await createAnswering(user));
    expect(await getUsed(user, 'completions')).toBe(1);
  });

  it('refuse a job as a whole if it does not fit, and say how much is left', async () => {
    const user = await host.createPerson();
    const assistant = await createAnswering(user);
    await askInJob(user, assistant, 7);
    const refused = await askInJob(user, assistant, 5);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('is 10 a day, and 7 are used, and this needs 5: try again after');
    expect(refused.headers.get('ratelimit')).toMatch(/^"completions";r=3;t=\d+$/);
    expect(await getUsed(user, 'completions')).toBe(7);
    const never = await askInJob(user, assistant, 11);
    expect([never.status, never.headers.get('retry-after')]).toEqual([429, null]);
    expect(never.text).toContain('send fewer, or get a higher limit');
    expect((await askInJob(user, assistant, 3)).status).toBe(200);
    expect(await getUsed(user, 'completions')).toBe(10);
  });

  it('refuse a job that is larger than the limit though nothing is used yet', async () => {
    const user = await host.createPerson();
    const refused = await askInJob(user, await createAnswering(user), 11);
    expect(refused.headers.get('ratelimit')).toMatch(/^"completions";r=10;/);
    expect(await getUsed(user, 'completions')).toBe(0);
  });

  it('store no row where no limit applies, and one that expires where one does', async () => {
    const unlimited = await host.createPerson({ plan: 'pro' });
    await postForm(unlimited, '/assistants/knowledge-base', buildForm('Text'));
    expect(await readRows(unlimited.sub)).toEqual([]);
    const limited = await host.createPerson();
    await postForm(limited, '/assistants/knowledge-base', buildForm('Text'));
    const today = Math.floor(Date.now() / 86_400_000) * 86_400;
    expect(await readRows(limited.sub)).toEqual([
      {
        pk: { S: expect.stringMatching(/#QUOTAS$/) },
        sk: { S: `DAY#${new Date(today * 1000).toISOString().slice(0, 10)}` },
        uploads: { N: '1' },
        expires_at: { N: String(today + 4 * 86_400) },
      },
    ]);
  });

  describe('of each route', () => {
    /** Returns what sends one good request to a route that counts. */
    const senders: Record<string, (user: Client, assistant: Assistant) => Send> = {
      'completions/create': (user, assistant) => () => ask(user, assistant),
      'vision/analyze': (user, { id }) => {
        const question = { assistant_id: id, image: 'https://example.com/tooth.png', question: 'What is it?' };
        return () => user.post('/vision/analyze', question);
      },
      'jobs/create': (user, assistant) => (headers) => askInJob(user, assistant, 1, headers),
      'search/answer': (user, { id }) => {
        return () => user.post('/search', { assistant_id: id, query: 'When do we open?' });
      },
      'assistants/call-tool': (user, { id }) => {
        return () => user.post(`/assistants/${id}/tools/look_up/call`, { arguments: { id: '7' } });
      },
      'web-calls/create': (user, { id }) => {
        return () => user.post(`/assistants/${id}/web-calls`, {});
      },
      'knowledge-bases/create': (user) => (headers) =>
        postForm(user, '/assistants/knowledge-base', buildForm('The same text', 'a.txt'), headers),
      'knowledge-bases/create-upload': (user) => (headers) =>
        user.post(
          '/assistants/knowledge-base/uploads',
          { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 5 },
          headers,
        ),
      'knowledge-bases/create-attached':
        (user, { id }) =>
        (headers) =>
          postForm(user, `/assistants/${id}/knowledge-base`, buildForm('The same text', 'a.txt'), headers),
    };
    const counting = routes.flatMap((route: Route) => (route.quota ? [{ ...route, quota: route.quota }] : []));
    let owner: Client;
    let assistant: Assistant;
    beforeAll(async () => {
      owner = await host.createPerson({ plan: 'pro' });
      assistant = await createAnswering(owner);
      const { id } = await uploadAndWait(owner, 'We open at nine.', 'hours.txt');
      await owner.put(`/assistants/${assistant.id}/knowledge-bases/${id}`, undefined);
    });

    it('are tested here', () => {
      expect(Object.keys(senders).sort()).toEqual(counting.map(({ id }) => id).sort());
    });

    it.each(counting)('let one request through and refuse the next: $id', async ({ id, quota }) => {
      const worker = await createKeyClient(owner, { [quota]: 1 });
      const send = senders[id]?.(worker, assistant);
      const [first, second] = [await send?.(), await send?.()];
      expect([first?.status, second?.status]).toEqual([200, 429]);
      expect(second?.body).toMatchObject({ detail: [{ loc: ['service', quota], type: 'quota_exceeded' }] });
      expect(second?.headers.get('ratelimit-policy')).toBe(`"api_key.${quota}";q=1;w=86400`);
      expect(second?.headers.get('x-should-retry')).toBe('false');
      expect(second?.text).toContain("This API key's limit of ");
      expect(await getUsed(worker, quota, 'api_key')).toBe(1);
    });

    it.each(counting.filter(({ creates }) => creates))('count a repeat once: $id', async ({ id, quota }) => {
      const worker = await createKeyClient(owner, { [quota]: 1 });
      const key = { 'idempotency-key': randomUUID() };
      const send = senders[id]?.(worker, assistant);
      const [first, second] = [await send?.(key), await send?.(key)];
      expect([first?.status, second?.status]).toEqual([200, 200]);
      expect(second?.headers.get('idempotent-replay')).toBe('true');
      expect(second?.text).toBe(first?.text);
      expect(await getUsed(worker, quota, 'api_key')).toBe(1);
    });

    const refunded = counting.filter(({ creates, form }) => creates && !form);
    it.each(refunded)('count concurrent repeats once: $id', async ({ id, quota }) => {
      const worker = await createKeyClient(owner, { [quota]: 100 });
      const key = { 'idempotency-key': randomUUID() };
      const send = senders[id]?.(worker, assistant);
      const replies = await Promise.all(Array.from({ length: 8 }, () => send?.(key)));
      const good = replies.filter((reply) => reply?.status === 200);
      expect(new Set(good.map((reply) => reply?.text)).size).toBe(1);
      expect(await getUsed(worker, quota, 'api_key')).toBe(1);
    });

    it('count nothing that is refused for another reason', async () => {
      const worker = await createKeyClient(owner, {
        completions: 9,
        search_answers: 9,
        tool_calls: 9,
        web_calls: 9,
        uploads: 9,
      });
      const stranger = { ...assistant, id: randomUUID() };
      const call = (name: string, body: object) => worker.post(`/assistants/${assistant.id}/tools/${name}/call`, body);
      const templated = await createAnswering(owner, {
        system_instruction: 'Hello {{ name }}',
        variables: { name: { type: 'string', required: true } },
      });
      const unreachable = await createAnswering(owner, { transport: { livekit: { credential: 'none' } } });
      const keyless = await createAnswering(owner, { llm: { llm_provider: 'anthropic', model: 'any' } });
      const replies = [
        await ask(worker, assistant, { messages: [] }),
        await ask(worker, stranger),
        await ask(worker, templated),
        await ask(worker, keyless),
        await askInJob(worker, assistant, 0),
        await worker.post('/search', { assistant_id: stranger.id, query: 'When?' }),
        await worker.post('/vision/analyze', { assistant_id: assistant.id, image: 'x', question: 'What?' }),
        await call('none', { arguments: {} }),
        await call('look_up', { arguments: {} }),
        await worker.post(`/assistants/${templated.id}/web-calls`, {}),
        await worker.post(`/assistants/${unreachable.id}/web-calls`, {}),
        await postForm(worker, '/assistants/knowledge-base', new FormData()),
        await worker.post('/assistants/knowledge-base/uploads', {
          file_name: 'a.txt',
          content_type: 'text/plain',
          size_bytes: 51_000_000,
        }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([
        ...[422, 404, 422, 424, 422, 404, 422, 404, 422],
        ...[422, 424, 422, 422],
      ]);
      const nothing = await worker.post('/search', { assistant_id: assistant.id, query: 'Xylophone?' });
      expect(nothing.body).toMatchObject({ data: { answer: null } });
      expect((await readIdentity(worker)).quotas.filter((one) => one.set_by === 'api_key')).toMatchObject(
        Array(5).fill({ used: 0 }),
      );
      expect(countAsked()).toBe(0);
    });

    it('count an upload whose file was stored, though its assistant is unknown', async () => {
      const worker = await createKeyClient(owner, { uploads: 1 });
      const send = () => postForm(worker, `/assistants/${randomUUID()}/knowledge-base`, buildForm('Text'));
      expect([(await send()).status, (await send()).status]).toEqual([404, 429]);
    });

    it('count what the vendor was asked for, also if it fails', async () => {
      const worker = await createKeyClient(owner, { completions: 9 });
      vendor.script = answer(500);
      expect((await ask(worker, assistant)).status).toBe(502);
      expect(await getUsed(worker, 'completions', 'api_key')).toBe(1);
    });
  });

  describe('of an API key', () => {
    it('limit it besides the tier, and neither counts what the other refuses', async () => {
      const user = await host.createPerson();
      const assistant = await createAnswering(user);
      const worker = await createKeyClient(user, { completions: 3 });
      const free = await createKeyClient(user);
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(worker, assistant)));
      expect(listStatuses(replies)).toEqual({ 200: 3, 429: 17 });
      expect((await readIdentity(worker)).quotas.map(({ name, set_by, used }) => [name, set_by, used])).toEqual([
        ['completions', 'tier', 3],
        ['search_answers', 'tier', 0],
        ['tool_calls', 'tier', 0],
        ['web_calls', 'tier', 0],
        ['uploads', 'tier', 0],
        ['completions', 'api_key', 3],
      ]);
      expect((await askInJob(free, assistant, 7)).status).toBe(200);
      const wide = await createKeyClient(user, { completions: 100 });
      const refused = await ask(wide, assistant);
      expect([refused.status, refused.text]).toEqual([
        429,
        expect.stringContaining("Your tier's limit of completions is 10"),
      ]);
      expect(await getUsed(wide, 'completions', 'api_key')).toBe(0);
    });

    it('need no tiers, and leave the rest of the owner alone', async () => {
      const user = await createUser();
      const assistant = await createAnswering(user);
      const worker = await createKeyClient(user, { completions: 2 });
      const replies = await Promise.all(Array.from({ length: 10 }, () => ask(worker, assistant)));
      expect(listStatuses(replies)).toEqual({ 200: 2, 429: 8 });
      expect((await ask(user, assistant)).status).toBe(200);
      expect(await readIdentity(user)).toMatchObject({ tier: null, quotas: [] });
      expect(await readIdentity(worker)).toMatchObject({
        tier: null,
        quotas: [{ name: 'completions', set_by: 'api_key', limit: 2, used: 2 }],
      });
    });

    it('are listed, and stay when it is rotated', async () => {
      const user = await createUser();
      const { id } = await createKeyClient(user, { uploads: 3, completions: 0 });
      const rotated = await user.post<IssuedApiKey>('/api-keys/rotate', { id });
      expect(rotated.body.data.quota).toEqual({ uploads: 3, completions: 0 });
      await createKeyClient(user);
      const { body } = await user.get<{ data: { api_keys: ApiKey[] } }>('/api-keys');
      expect(body.data.api_keys.map(({ quota }) => quota)).toEqual([
        null,
        { uploads: 3, completions: 0 },
        { uploads: 3, completions: 0 },
      ]);
      const secret = rotated.body.data.secret ?? '';
      expect((await readIdentity(createClient(user.sub, secret))).quotas).toMatchObject([
        { name: 'completions', limit: 0 },
        { name: 'uploads', limit: 3 },
      ]);
    });

    it.each<[unknown, string]>([
      [{ completion: 5 }, 'body.quota.completion: extra_forbidden'],
      [{ completions: -1 }, 'body.quota.completions: greater_than_equal'],
      [{ completions: 1.5 }, 'body.quota.completions: int_type'],
      [{ completions: '5' }, 'body.quota.completions: float_type'],
      [{ completions: 1e10 }, 'body.quota.completions: less_than_equal'],
      [{ completions: null }, 'body.quota.completions: float_type'],
      [[5], 'body.quota: dict_type'],
      [5, 'body.quota: dict_type'],
    ])('are refused if they make no sense: %j', async (quota, fault) => {
      const reply = await createKey(await createUser(), ['read'], { quota });
      expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
    });

    it('come with the tier of the person who made the key, or who rotated it', async () => {
      const pro = await host.createPerson({ plan: 'pro' });
      const key = await createKeyClient(pro);
      expect((await readIdentity(key)).tier).toBe('pro');
      const lapsed = await host.createPerson({ plan: 'none' }, pro.sub);
      expect((await readIdentity(key)).tier).toBe('pro');
      const rotated = await lapsed.post<IssuedApiKey>('/api-keys/rotate', { id: key.id });
      const secret = rotated.body.data.secret ?? '';
      expect((await readIdentity(createClient(pro.sub, secret, host.url))).tier).toBe('none');
      const former = await createKeyClient(createClient(pro.sub, pro.token)); // made without tiers
      expect((await readIdentity(createClient(pro.sub, former.token, host.url))).tier).toBe('free');
    });
  });
});
