import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, it } from 'vitest';
import type { Delivery, Webhook } from '../../shared/schemas/webhook.ts';
import { toDeliveryKey, toEventKey, toUserKey } from '../../shared/store/table/keys.ts';
import { createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createDeployment } from '../support/recovery.ts';

const user = await createUser();
const other = await createOtherUser();

interface Listed {
  data: { deliveries: Delivery[]; next_cursor: string | null };
}

interface Saved {
  status: string;
  data: Webhook & { secret: string | null };
}

const url = 'https://webhooks.invalid/hook';
const create = (fields: object = {}, headers?: Record<string, string>, who = user) =>
  who.post<Saved>('/webhooks', { url, events: ['assistant.deleted'], ...fields }, headers);
const list = async (who = user) => (await who.get<{ data: { webhooks: Webhook[] } }>('/webhooks')).body.data.webhooks;

const deleteAll = async (who = user) => {
  for (const { id } of await list(who)) await who.delete(`/webhooks/${id}`);
};
afterAll(async () => {
  await deleteAll();
  await deleteAll(other);
});

describe('creating a webhook', () => {
  it('returns it with a secret that is made, and shows the secret nowhere else', async () => {
    const { status, headers, body } = await create({ description: 'CRM', headers: { 'X-Token': 't' } });
    expect(status).toBe(200);
    const { secret, ...webhook } = body.data;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      url,
      description: 'CRM',
      events: ['assistant.deleted'],
      include: [],
      headers: ['X-Token'],
      enabled: true,
      disabled_reason: null,
      masked_secret: `****${secret?.slice(-4)}`,
      secret_encoding: 'base64',
      health: {
        status: 'healthy',
        failing_since: null,
        consecutive_failures: 0,
        next_probe_at: null,
        last_failure: null,
      },
      created_at: expect.stringMatching(/Z$/),
      updated_at: webhook.created_at,
    });
    expect(headers.get('location')).toMatch(new RegExp(`/webhooks/${webhook.id}$`));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await list()).toContainEqual(webhook);
    expect((await user.get<Saved>(`/webhooks/${webhook.id}`)).body.data).toEqual(webhook);
  });

  it('takes a secret of the client', async () => {
    const { body } = await create({ secret: 'a secret with spaces' });
    expect(body.data).toMatchObject({
      secret: 'a secret with spaces',
      secret_encoding: 'utf8',
      masked_secret: '****aces',
    });
  });

  it('creates one with an Idempotency-Key, and repeats it without its secret', async () => {
    const before = (await list()).length;
    const first = await create({}, { 'idempotency-key': 'once' });
    const second = await create({}, { 'idempotency-key': 'once' });
    expect(second.body.data).toEqual({ ...first.body.data, secret: null });
    expect((await list()).length).toBe(before + 1);
  });

  it.each([
    [{ url: 'http://example.com' }, 'body.url: url_parsing'],
    [{ url: 'example' }, 'body.url: url_parsing'],
    [{ url: 'https://10.0.0.1.' }, 'body.url: forbidden_address'],
    [{ url: 'https://169.254.169.254/latest' }, 'body.url: forbidden_address'],
    [{ url: 'https://printer.local' }, 'body.url: forbidden_address'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'body.url: string_too_long'],
    [{ url: undefined }, 'body.url: missing'],
    [{ events: [] }, 'body.events: too_short'],
    [{ events: ['call.started'] }, 'body.events.0: enum'],
    [{ events: ['webhook.test'] }, 'body.events.0: enum'],
    [{ events: Array.from({ length: 51 }, () => '*') }, 'body.events: too_long'],
    [{ secret: 'short' }, 'body.secret: string_too_short'],
    [{ secret: 'x'.repeat(257) }, 'body.secret: string_too_long'],
    [{ include: ['everything'] }, 'body.include.0: enum'],
    [{ headers: { 'webhook-id': 'x' } }, 'body.headers: headers'],
    [{ headers: { host: 'x' } }, 'body.headers: headers'],
    [{ headers: { a: 'x\r\ny: z' } }, 'body.headers.a: header_value'],
    [{ headers: { a: 'x'.repeat(999), b: 'x'.repeat(999), c: 'x' } }, 'body.headers: headers'],
    [{ headers: { a: 1 } }, 'body.headers.a: string_type'],
    [{ headers: ['a'] }, 'body.headers: dict_type'],
    [{ description: 'x'.repeat(501) }, 'body.description: string_too_long'],
  ])('refuses %j', async (fields, fault) => {
    const reply = await create(fields);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });

  it('is limited to 20, also in parallel', async () => {
    await deleteAll(other);
    const replies = await Promise.all(Array.from({ length: 25 }, () => create({}, undefined, other)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(listFaults(replies.find(({ status }) => status === 409) as Reply)).toEqual(['service: conflict']);
    const [first] = await list(other);
    await other.delete(`/webhooks/${first?.id}`);
    expect((await create({}, undefined, other)).status).toBe(200);
  });

  it('needs the scope webhooks, and reading them the scope read', async () => {
    const [reader, manager] = [await createWorker(user, ['read', 'write']), await createWorker(user, ['webhooks'])];
    expect((await create({}, undefined, reader)).status).toBe(403);
    expect((await create({}, undefined, manager)).status).toBe(200);
    expect((await manager.get('/webhooks')).status).toBe(403);
    expect((await reader.get('/webhooks')).status).toBe(200);
  });
});

describe('changing a webhook', () => {
  it('changes the fields in the body only, and nothing if they are the same', async () => {
    const { id } = (await create({ description: 'old', headers: { a: 'b' } })).body.data;
    const { body, headers } = await user.put<Saved>(`/webhooks/${id}`, { description: 'new', include: ['transcript'] });
    expect(body.data).toMatchObject({ description: 'new', include: ['transcript'], headers: ['a'], url });
    const same = await user.put<Saved>(`/webhooks/${id}`, { description: 'new' });
    expect([same.headers.get('etag'), same.body.data]).toEqual([headers.get('etag'), body.data]);
    expect((await user.put<Saved>(`/webhooks/${id}`, { headers: { c: 'd' } })).body.data.headers).toEqual(['c']);
    expect((await user.put<Saved>(`/webhooks/${id}`, { headers: {} })).body.data.headers).toEqual([]);
  });

  it('with If-Match changes only the revision that was read', async () => {
    const made = await create();
    const path = `/webhooks/${made.body.data.id}`;
    const etag = { 'if-match': made.headers.get('etag') ?? '' };
    expect((await user.put(path, { description: 'one' }, etag)).status).toBe(200);
    expect((await user.put(path, { description: 'two' }, etag)).status).toBe(412);
    expect((await user.delete(path, etag)).status).toBe(412);
    expect((await user.delete(path)).status).toBe(200);
    expect((await user.get(path)).status).toBe(404);
  });

  it('keeps all of many concurrent changes of different fields', async () => {
    const { id } = (await create()).body.data;
    const changes = [{ description: 'x' }, { include: ['transcript'] }, { events: ['call.*'] }, { enabled: false }];
    const replies = await Promise.all(changes.map((change) => user.put(`/webhooks/${id}`, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await user.get<Saved>(`/webhooks/${id}`)).body.data).toMatchObject(Object.assign({}, ...changes));
  });

  it('refuses an address that it may not request, and an unknown field', async () => {
    const { id } = (await create()).body.data;
    const reply = await user.put(`/webhooks/${id}`, { url: 'https://10.0.0.1' });
    expect([reply.status, listFaults(reply)]).toEqual([422, ['body.url: forbidden_address']]);
    expect((await user.put(`/webhooks/${id}`, { secret: 'x'.repeat(20) })).headers.get('x-ignored-fields')).toBe(
      'secret',
    );
  });
});

describe('a request without a body', () => {
  it('means {} where nothing is required: to test, and to replace a secret', async () => {
    const { id } = (await create()).body.data;
    const replies = await Promise.all([
      user.post(`/webhooks/${id}/test`, undefined),
      user.post(`/webhooks/${id}/secret`, undefined, { 'idempotency-key': randomUUID() }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(listFaults(await user.post(`/webhooks/${id}/replay`, undefined))).toEqual(['body: missing']);
  });
});

describe('a request for deliveries', () => {
  it('is refused while the webhook is disabled', async () => {
    const { id } = (await create()).body.data;
    await user.put(`/webhooks/${id}`, { enabled: false });
    const replies = [
      await user.post(`/webhooks/${id}/test`, {}),
      await user.post(`/webhooks/${id}/replay`, { from: new Date().toISOString() }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 409]);
  });

  it('is refused for an event that was never delivered, and for a period without events', async () => {
    const { id } = (await create()).body.data;
    expect((await user.post(`/webhooks/${id}/deliveries/${id}`, {})).status).toBe(404);
    const replay = (body: object) => user.post(`/webhooks/${id}/replay`, body);
    expect(listFaults(await replay({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }))).toEqual([
      'body.to: datetime_past',
    ]);
    expect(listFaults(await replay({}))).toEqual(['body.from: missing']);
    expect((await replay({ from: '2020-01-01T00:00:00Z' })).status).toBe(200);
  });
});

describe.skipIf(deployed)('the list of deliveries', () => {
  const { dynamoDb, table: TableName, issuer } = createDeployment();

  /** Stores a delivery of an event whose data has some bytes. */
  async function storeDelivery(owner: string, webhook_id: string, bytes: number): Promise<string> {
    const id = uuidv7();
    const created_at = new Date().toISOString();
    const data = JSON.stringify({ name: 'x'.repeat(bytes) });
    const actor = { kind: 'user', id: '' };
    const event = { type: 'assistant.updated', subject_id: id, actor, user_id: null, request_id: '', data, created_at };
    const state = { status: 'delivered', reason: null, attempts: 1, history: [], delivered_at: created_at };
    const ids = { webhook_id, event_id: id, source_id: id };
    const delivery = { ...ids, type: event.type, ...state, created_at, expires_at: 4e9 };
    for (const Item of [
      { ...toEventKey(owner, id), ...event },
      { ...toDeliveryKey(owner, webhook_id, id), ...delivery },
    ])
      await dynamoDb.send(new PutItemCommand({ TableName, Item: marshall(Item) }));
    return id;
  }

  it('ends a page before it is too large for a response, and goes on with the next one', async () => {
    const who = await createUser();
    const { id } = (await create({}, {}, who)).body.data;
    const stored: string[] = [];
    for (let i = 0; i < 30; i++) stored.unshift(await storeDelivery(toUserKey(issuer, who.sub), id, 200_000));
    const listed: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/webhooks/${id}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`;
      const { status, body }: Reply<Listed> = await who.get<Listed>(path);
      expect(status).toBe(200);
      listed.push(body.data.deliveries.map(({ event_id }) => event_id));
      cursor = body.data.next_cursor;
    }
    expect(listed.length).toBe(2);
    expect(listed.flat()).toEqual(stored);
  });
});
