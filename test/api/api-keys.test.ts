import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretFor } from '../../shared/domain/api-key.ts';
import { routes } from '../../shared/routes/index.ts';
import type { ApiKey, IssuedApiKey } from '../../shared/schemas/api-key.ts';
import { scopes as allScopes } from '../../shared/scopes.ts';
import { clientWith, deployed, faults, newUser, otherUser, type Reply, send } from '../support/api.ts';
import { makeKey, workerOf } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { found } from '../support/files.ts';

const user = await newUser();
const other = await otherUser();
const { body: assistant } = await createAssistant(user);

const list = async (who = user) => (await who.get<{ data: { api_keys: ApiKey[] } }>('/api-keys')).body.data.api_keys;
const environmentOf = async () => (await makeKey(user, ['read'])).body.data.secret?.split('_')[1] ?? '';
const environment = await environmentOf();

/** A request of every route, as far as its own checks of the token. */
const requestOf = ({ method, path }: (typeof routes)[number], authorization: string) =>
  send(method, path.replace(/\{\w+\}/g, assistant.id), {
    headers: { authorization },
    ...(method === 'POST' || method === 'PUT' ? { body: {} } : {}),
  });

describe('making a key', () => {
  it('gives its secret once, and its record', async () => {
    const { status, headers, body } = await makeKey(user, ['runtime', 'logs', 'logs'], { name: 'Worker in Frankfurt' });
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
  ])('refuses %j', async (fields, fault) => {
    const reply = await makeKey(user, ['read'], fields);
    expect([reply.status, faults(reply)]).toEqual([422, [fault]]);
  });

  it('again under the same Idempotency-Key makes no second one, and does not repeat the secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const make = () => user.post<IssuedApiKey>('/api-keys', { name: 'Once', scopes: ['read'] }, headers);
    const [first, again] = [await make(), await make()];
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body.data).toEqual({ ...first.body.data, secret: null });
    expect((await list()).filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  it('that replaced another is repeated too, without the secret', async () => {
    const { body: old } = await makeKey(user, ['read']);
    const headers = { 'idempotency-key': randomUUID() };
    const rotate = () => user.post<IssuedApiKey>('/api-keys/rotate', { id: old.data.id }, headers);
    const [first, again] = [await rotate(), await rotate()];
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(again.body.data).toEqual({ ...first.body.data, secret: null });
    await user.delete(`/api-keys/${first.body.data.id}`);
  });

  it('is refused once 100 live, however many are made at once, and made again once some are revoked', async () => {
    const many = await newUser();
    for (let i = 0; i < 92; i++) await makeKey(many, ['read'], { name: `${i}` });
    const makeAtOnce = async (count: number) => {
      const replies: Reply[] = await Promise.all(Array.from({ length: count }, () => makeKey(many, ['read'])));
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
    expect((await list(many)).map(({ name }) => name)).toContain('0'); // none that lives drops out of sight
    await many.delete(`/api-keys/${body.data.id}`);
  });
});

describe('a request with a key', () => {
  it('acts as the user who made it, and leaves the hour', async () => {
    const { body } = await makeKey(user, ['read', 'write'], { expires_at: '2099-01-01T00:00:00Z' });
    const worker = clientWith(user.sub, body.data.secret ?? '');
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
    const worker = await workerOf(user, lacking);
    const reply = await requestOf(route, `Bearer ${worker.token}`);
    if (route.scope === 'any') return expect(reply.status).toBe(200);
    expect([reply.status, faults(reply)]).toEqual([403, ['header.authorization: insufficient_scope']]);
    expect(reply.headers.get('x-amzn-remapped-www-authenticate')).toContain('error="insufficient_scope"');
  });

  it.each(routes.filter(({ scope }) => scope !== 'none'))('with the scope passes: $id', async (route) => {
    const worker = await workerOf(user, route.scope === 'any' ? ['logs'] : [route.scope]);
    expect([200, 404, 415, 422]).toContain((await requestOf(route, `Bearer ${worker.token}`)).status);
  });

  it.each([
    ['unknown', () => secretFor(environment)],
    ['mistyped', () => secretFor(environment).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['of another environment', () => secretFor('elsewhere')],
    ['cut', () => secretFor(environment).slice(0, -1)],
    ['of no secret', () => 'va_'],
    ['in capitals', () => secretFor(environment).toUpperCase().replace('VA_', 'va_')],
    ['of 10,001 characters', () => `va_${environment}_${'a'.repeat(9_994)}`],
  ])('is refused where it is %s', async (_, secret) => {
    const reply = await clientWith('', secret()).get('/protected');
    expect([reply.status, faults(reply)]).toEqual([401, ['header.authorization: invalid_token']]);
    expect(reply.text).not.toContain(secret());
  });
});

describe('revoking a key', () => {
  it('ends it', async () => {
    const { body } = await makeKey(user, ['read']);
    const path = `/api-keys/${body.data.id}`;
    expect((await other.delete(path)).status).toBe(404);
    expect((await user.delete<{ data: object }>(path)).body.data).toEqual({ id: body.data.id });
    expect((await user.delete(path)).status).toBe(404);
    // No function has seen it, so none remembers it.
    expect((await clientWith('', body.data.secret ?? '').get('/protected')).status).toBe(401);
    expect((await list()).map(({ id }) => id)).not.toContain(body.data.id);
    expect((await user.delete('/api-keys/nonsense')).status).toBe(422);
  });
});

describe('rotating a key', () => {
  const rotate = (id: string, grace_seconds?: number, who = user) =>
    who.post<IssuedApiKey>('/api-keys/rotate', { id, grace_seconds });

  it('makes one like it, while the old one stays good for the grace', async () => {
    const { body: old } = await makeKey(user, ['read', 'logs'], { name: 'Rotated' });
    const { status, body } = await rotate(old.data.id, 60);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Rotated', scopes: ['read', 'logs'], expires_at: null, replaced_by: null });
    for (const { secret } of [old.data, body.data]) {
      expect((await clientWith('', secret ?? '').get('/protected')).status).toBe(200);
    }
    const listed = (await list()).find(({ id }) => id === old.data.id);
    expect(listed?.replaced_by).toBe(body.data.id);
    expect(Date.parse(listed?.expires_at ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
    await user.delete(`/api-keys/${body.data.id}`);
  });

  it('without a grace ends the old one at once, and keeps the span of life', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const { body: old } = await makeKey(user, ['read'], { expires_at: inAnHour });
    const { body } = await rotate(old.data.id, 0);
    expect((await clientWith('', old.data.secret ?? '').get('/protected')).status).toBe(401);
    const span = ({ expires_at, created_at }: ApiKey) => Date.parse(expires_at ?? '') - Date.parse(created_at);
    expect(Math.abs(span(body.data) - span(old.data))).toBeLessThan(1_000);
    await user.delete(`/api-keys/${body.data.id}`);
  });

  it('twice at once makes one', async () => {
    const { body: old } = await makeKey(user, ['read']);
    const replies = await Promise.all([1, 2, 3, 4].map(() => rotate(old.data.id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await rotate(old.data.id)).status).toBe(409);
    for (const { body } of replies) if (body.data) await user.delete(`/api-keys/${body.data.id}`);
  });

  it('takes only a key that is there, and is one’s own', async () => {
    const { body: own } = await makeKey(user, ['read']);
    await user.delete(`/api-keys/${own.data.id}`);
    const { body: foreign } = await makeKey(other, ['read']);
    for (const id of [own.data.id, foreign.data.id, randomUUID()]) {
      const reply = await rotate(id);
      expect([reply.status, faults(reply)]).toEqual([404, ['body.id: not_found']]);
    }
  });

  it.each([
    [-1, 'greater_than_equal'],
    [604_801, 'less_than_equal'],
    [1.5, 'int_type'],
    ['60', 'float_type'],
  ])('refuses a grace of %j', async (grace_seconds, type) => {
    const reply = await user.post('/api-keys/rotate', { id: randomUUID(), grace_seconds });
    expect([reply.status, faults(reply)]).toEqual([422, [`body.grace_seconds: ${type}`]]);
  });
});

describe.skipIf(deployed)('the secret of a key', () => {
  it('is found nowhere: not in logs, the database or remembered answers', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await user.post<IssuedApiKey>('/api-keys', { name: 'Canary', scopes: ['read'] }, headers);
    const secret = body.data.secret ?? '';
    await clientWith('', secret).get('/assistants');
    await clientWith('', secret).post('/assistants', {});
    await clientWith('', `${secret}x`).get('/assistants');
    await user.post('/api-keys', { name: secret.repeat(20), scopes: [secret] });
    expect(await found(secret)).toEqual([]);
    expect(await found(secret.slice(7, 50))).toEqual([]); // the random part alone
    expect(await found(body.data.id)).not.toEqual([]);
  });
});
