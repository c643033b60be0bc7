import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSecret } from '../../shared/domain/api-key.ts';
import { routes } from '../../shared/routes/index.ts';
import type { ApiKey, IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { scopes as allScopes } from '../../shared/scopes.ts';
import {
  type Client,
  createClient,
  createOtherUser,
  createUser,
  deployed,
  listFaults,
  type Reply,
  send,
} from '../support/api.ts';
import { createKey, createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { findFiles } from '../support/files.ts';

const user = await createUser();
const other = await createOtherUser();
const { body: assistant } = await createAssistant(user);

const list = async (who = user) => (await who.get<{ data: { api_keys: ApiKey[] } }>('/api-keys')).body.data.api_keys;
const getEnvironment = async () => (await createKey(user, ['read'])).body.data.secret?.split('_')[1] ?? '';
const environment = await getEnvironment();

/** Sends a request to a route, only valid enough to pass the check of the token. */
const sendRequest = ({ method, path }: (typeof routes)[number], authorization: string) =>
  send(method, path.replace(/\{\w+\}/g, assistant.id), {
    headers: { authorization },
    ...(method === 'POST' || method === 'PUT' ? { body: {} } : {}),
  });

describe('creating a key', () => {
  it('returns the secret once', async () => {
    const { status, headers, body } = await createKey(user, ['runtime', 'logs', 'logs'], {
      name: 'Worker in Frankfurt',
    });
    expect(status).toBe(200);
    const { secret, ...record } = body.data;
    expect(secret).toMatch(/^va_[a-z0-9-]+_[0-9a-z]{57}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Worker in Frankfurt',
      scopes: ['runtime', 'logs'],
      masked_key: `****${secret?.slice(-4)}`,
      expires_at: null,
      last_used_at: null,
      replaced_by: null,
      quota: null,
      created_at: expect.any(String),
    });
    expect(headers.get('location')).toMatch(new RegExp(`/api-keys/${record.id}$`));
    expect((await list())[0]).toEqual(record);
    expect(JSON.stringify(await list())).not.toContain(secret);
    expect((await list(other)).map(({ id }) => id)).not.toContain(record.id);
  });

  it.each<[object, string]>([
    [{ name: '' }, 'body.name: string_blank'],
    [{ name: undefined }, 'body.name: missing'],
    [{ scopes: undefined }, 'body.scopes: missing'],
    [{ scopes: [] }, 'body.scopes: too_short'],
    [{ scopes: 'read' }, 'body.scopes: list_type'],
    [{ scopes: ['read', 'all'] }, 'body.scopes.1: enum'],
    [{ scopes: ['read', 7] }, 'body.scopes.1: string_type'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'body.expires_at: datetime_future'],
    [{ expires_at: 'tomorrow' }, 'body.expires_at: datetime_parsing'],
  ])('rejects %j', async (fields, fault) => {
    const reply = await createKey(user, ['read'], fields);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });

  it('twice with the same Idempotency-Key creates one key, and does not repeat the secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const make = () => user.post<IssuedApiKey>('/api-keys', { name: 'Once', scopes: ['read'] }, headers);
    const [first, again] = [await make(), await make()];
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body.data).toEqual({ ...first.body.data, secret: null });
    expect((await list()).filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  it('by rotating twice with the same Idempotency-Key does not repeat the secret', async () => {
    const { body: old } = await createKey(user, ['read']);
    const headers = { 'idempotency-key': randomUUID() };
    const rotate = () => user.post<IssuedApiKey>('/api-keys/rotate', { id: old.data.id }, headers);
    const [first, again] = [await rotate(), await rotate()];
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(again.body.data).toEqual({ ...first.body.data, secret: null });
    await user.delete(`/api-keys/${first.body.data.id}`);
  });

  it('is limited to 100 active keys, also for concurrent requests and after revoking some', async () => {
    const many = await createUser();
    for (let i = 0; i < 92; i++) await createKey(many, ['read'], { name: `${i}` });
    const makeAtOnce = async (count: number) => {
      const replies: Reply[] = await Promise.all(Array.from({ length: count }, () => createKey(many, ['read'])));
      return replies.map(({ status }) => status).toSorted();
    };
    const half = [...Array(8).fill(200), ...Array(8).fill(409)];
    expect(await makeAtOnce(16)).toEqual(half);
    expect(await list(many)).toHaveLength(100);
    for (const { id } of (await list(many)).slice(0, 8)) await many.delete(`/api-keys/${id}`);
    expect(await makeAtOnce(16)).toEqual(half);
    expect(await list(many)).toHaveLength(100);
    const [newest] = await list(many);
    const { body } = await many.post<IssuedApiKey>('/api-keys/rotate', { id: newest?.id, grace_seconds: 60 });
    expect((await list(many)).map(({ name }) => name)).toContain('0'); // the list still contains every active key
    await many.delete(`/api-keys/${body.data.id}`);
  });
});

describe('a request with a key', () => {
  const workers = new Map<string, Promise<Client>>();
  /** Returns a worker with a key of these scopes: one for all requests, since a user has at most 100 keys. */
  const getWorker = (scopes: string[]): Promise<Client> => {
    const worker = workers.get(scopes.join()) ?? createWorker(user, scopes);
    workers.set(scopes.join(), worker);
    return worker;
  };

  it('acts as the user who created it, and records the hour of use', async () => {
    const { body } = await createKey(user, ['read', 'write'], { expires_at: '2099-01-01T00:00:00Z' });
    const worker = createClient(user.sub, body.data.secret ?? '');
    const check = await worker.get<{ data: object }>('/protected');
    expect(check.body.data).toMatchObject({
      token_type: 'api_key',
      scopes: ['read', 'write'],
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect(await worker.get(`/assistants/${assistant.id}`)).toMatchObject({ status: 200, body: assistant });
    expect((await worker.put(`/assistants/${assistant.id}`, {})).status).toBe(200);
    const used = (await list()).find(({ id }) => id === body.data.id);
    expect(used?.last_used_at).toBe(`${new Date().toISOString().slice(0, 13)}:00:00.000Z`);
  });

  it.each(routes)('needs the scope of the operation: $id', async (route) => {
    const lacking = allScopes.filter((scope) => route.scope === 'none' || scope !== route.scope);
    const worker = await getWorker(lacking);
    const reply = await sendRequest(route, `Bearer ${worker.token}`);
    if (route.scope === 'any') return expect([200, 422]).toContain(reply.status);
    expect([reply.status, listFaults(reply)]).toEqual([403, ['header.authorization: insufficient_scope']]);
    expect(reply.headers.get('x-amzn-remapped-www-authenticate')).toContain('error="insufficient_scope"');
  });

  it.each(routes.filter(({ scope }) => scope !== 'none'))('succeeds with the scope: $id', async (route) => {
    const worker = await getWorker(route.scope === 'any' ? ['logs'] : [route.scope]);
    expect([200, 404, 415, 422]).toContain((await sendRequest(route, `Bearer ${worker.token}`)).status);
  });

  it.each([
    ['unknown', () => generateSecret(environment)],
    ['mistyped', () => generateSecret(environment).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['of another environment', () => generateSecret('elsewhere')],
    ['truncated', () => generateSecret(environment).slice(0, -1)],
    ['without a secret', () => 'va_'],
    ['in capitals', () => generateSecret(environment).toUpperCase().replace('VA_', 'va_')],
    ['of 10,001 characters', () => `va_${environment}_${'a'.repeat(9_994)}`],
  ])('returns 401 if the key is %s', async (_, secret) => {
    const reply = await createClient('', secret()).get('/protected');
    expect([reply.status, listFaults(reply)]).toEqual([401, ['header.authorization: invalid_token']]);
    expect(reply.text).not.toContain(secret());
  });
});

describe('revoking a key', () => {
  it('invalidates it', async () => {
    const { body } = await createKey(user, ['read']);
    const path = `/api-keys/${body.data.id}`;
    expect((await other.delete(path)).status).toBe(404);
    expect((await user.delete<{ data: object }>(path)).body.data).toEqual({ id: body.data.id });
    expect((await user.delete(path)).status).toBe(404);
    // No function has cached the key yet.
    expect((await createClient('', body.data.secret ?? '').get('/protected')).status).toBe(401);
    expect((await list()).map(({ id }) => id)).not.toContain(body.data.id);
    expect((await user.delete('/api-keys/nonsense')).status).toBe(422);
  });
});

describe('rotating a key', () => {
  const rotate = (id: string, grace_seconds?: number, who = user) =>
    who.post<IssuedApiKey>('/api-keys/rotate', { id, grace_seconds });

  it('creates a similar key, and keeps the old one valid for the grace period', async () => {
    const { body: old } = await createKey(user, ['read', 'logs'], { name: 'Rotated' });
    const { status, body } = await rotate(old.data.id, 60);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Rotated', scopes: ['read', 'logs'], expires_at: null, replaced_by: null });
    for (const { secret } of [old.data, body.data]) {
      expect((await createClient('', secret ?? '').get('/protected')).status).toBe(200);
    }
    const listed = (await list()).find(({ id }) => id === old.data.id);
    expect(listed?.replaced_by).toBe(body.data.id);
    expect(Date.parse(listed?.expires_at ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
    await user.delete(`/api-keys/${body.data.id}`);
  });

  it('without a grace period invalidates the old key immediately, and keeps the lifetime', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const { body: old } = await createKey(user, ['read'], { expires_at: inAnHour });
    const { body } = await rotate(old.data.id, 0);
    expect((await createClient('', old.data.secret ?? '').get('/protected')).status).toBe(401);
    const getLifetimeMs = ({ expires_at, created_at }: ApiKey) => Date.parse(expires_at ?? '') - Date.parse(created_at);
    expect(Math.abs(getLifetimeMs(body.data) - getLifetimeMs(old.data))).toBeLessThan(1_000);
    await user.delete(`/api-keys/${body.data.id}`);
  });

  it('creates one key from concurrent requests', async () => {
    const { body: old } = await createKey(user, ['read']);
    const replies = await Promise.all([1, 2, 3, 4].map(() => rotate(old.data.id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await rotate(old.data.id)).status).toBe(409);
    for (const { body } of replies) if (body.data) await user.delete(`/api-keys/${body.data.id}`);
  });

  it('returns 404 for a revoked, unknown or foreign key', async () => {
    const { body: own } = await createKey(user, ['read']);
    await user.delete(`/api-keys/${own.data.id}`);
    const { body: foreign } = await createKey(other, ['read']);
    for (const id of [own.data.id, foreign.data.id, randomUUID()]) {
      const reply = await rotate(id);
      expect([reply.status, listFaults(reply)]).toEqual([404, ['body.id: not_found']]);
    }
  });

  it.each([
    [-1, 'greater_than_equal'],
    [604_801, 'less_than_equal'],
    [1.5, 'int_type'],
    ['60', 'float_type'],
  ])('rejects a grace period of %j', async (grace_seconds, type) => {
    const reply = await user.post('/api-keys/rotate', { id: randomUUID(), grace_seconds });
    expect([reply.status, listFaults(reply)]).toEqual([422, [`body.grace_seconds: ${type}`]]);
  });
});

describe.skipIf(deployed)('the secret of a key', () => {
  it('appears in no log, database row or idempotency record', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await user.post<IssuedApiKey>('/api-keys', { name: 'Canary', scopes: ['read'] }, headers);
    const secret = body.data.secret ?? '';
    await createClient('', secret).get('/assistants');
    await createClient('', secret).post('/assistants', {});
    await createClient('', `${secret}x`).get('/assistants');
    await user.post('/api-keys', { name: secret.repeat(20), scopes: [secret] });
    expect(await findFiles(secret)).toEqual([]);
    expect(await findFiles(secret.slice(7, 50))).toEqual([]); // only the random part
    expect(await findFiles(body.data.id)).not.toEqual([]);
  });
});
