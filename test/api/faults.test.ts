import { randomUUID } from 'node:crypto';
import { once as event } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { functionRunners } from '../../infra/local/functions.ts';
import { gateway } from '../../infra/local/gateway.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { clientWith, deployed, faults, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { faultyHost } from '../support/faulty-host.ts';
import type { Fault } from '../support/faulty-proxy.ts';

describe.skipIf(deployed)('when the database fails', async () => {
  if (deployed) return;
  const { proxy, host, user, stop } = await faultyHost();
  const names = async () => (await user.get<Assistant[]>('/assistants')).body.map(({ name }) => name);
  const create = (headers: Record<string, string> = {}) => user.post<Assistant>('/assistants', minimal, headers);

  afterEach(() => {
    proxy.decide = () => 'pass';
  });
  afterAll(stop);

  /** The faults, once each, then all is well again. */
  const once = (...injected: Fault[]) => {
    proxy.decide = () => injected.shift() ?? 'pass';
  };

  function expectUnavailable(reply: Reply) {
    expect(reply.status).toBe(503);
    expect(faults(reply)).toEqual(['service: unavailable']);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.text).not.toMatch(/injected|dynamo|ECONN/i);
  }

  it.each(['throttle', 'fail', 'reset'] as const)(
    '(%s) every operation answers 503, and nothing is changed',
    async (fault) => {
      const { body } = await create();
      const before = await names();
      const path = `/assistants/${body.id}`;
      proxy.decide = () => fault;
      const replies = [
        await create(),
        await create({ 'idempotency-key': randomUUID() }),
        await user.get('/assistants'),
        await user.get(path),
        await user.get(`${path}/language-config`),
        await user.put(path, { name: 'Changed' }),
        await user.delete(path),
      ];
      replies.forEach(expectUnavailable);
      expect((await user.get('/protected')).status).toBe(200); // needs no database
      proxy.decide = () => 'pass';
      expect(await names()).toEqual(before);
      expect((await user.get(path)).body).toEqual(body);
    },
  );

  it('a fault that passes is not seen: the SDK tries again', async () => {
    once('throttle', 'reset');
    expect((await create()).status).toBe(200);
  });

  it('an answer that is lost makes no second assistant, with or without a key', async () => {
    for (const headers of [{} as Record<string, string>, { 'idempotency-key': randomUUID() }]) {
      const before = await names();
      once('lose');
      const { status } = await create(headers);
      expect(status).toBe(200);
      expect(await names()).toHaveLength(before.length + 1);
    }
  });

  it('a client that repeats with its key after 503 ends with exactly one', async () => {
    const before = await names();
    const key = { 'idempotency-key': randomUUID() };
    proxy.decide = () => 'lose'; // stored, but nobody hears of it
    expectUnavailable(await create(key));
    proxy.decide = () => 'pass';
    const again = await create(key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(await names()).toHaveLength(before.length + 1);
  });

  it('a client that repeats with its key after a function died ends with exactly one', async () => {
    const before = await names();
    const key = { 'idempotency-key': randomUUID() };
    const mortal = functionRunners(host, () => {});
    const server = createServer(gateway(host.assembly, mortal, () => {})).listen(0, '127.0.0.1');
    await event(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const die = () => Promise.all([...mortal.values()].map((runner) => runner.stop()));
    proxy.decide = (operation) => (operation === 'TransactWriteItems' ? { answerAfter: die } : 'pass');
    const dead = await clientWith(user.sub, user.token, `http://127.0.0.1:${port}`).post('/assistants', minimal, key);
    server.close();
    expect([dead.status, faults(dead)]).toEqual([502, ['service: bad_gateway']]);
    expect(dead.text).toContain('may have been done');
    expect(await names()).toHaveLength(before.length + 1);
    const again = await create(key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(await names()).toHaveLength(before.length + 1);
  });

  it('an update whose answer is lost is made once, also with If-Match', async () => {
    const { body, headers } = await create();
    proxy.decide = (operation) =>
      operation === 'UpdateItem' && !proxy.seen.slice(0, -1).includes(operation) ? 'lose' : 'pass';
    proxy.seen.length = 0;
    const etag = { 'if-match': headers.get('etag') ?? '' };
    const reply = await user.put<Assistant>(`/assistants/${body.id}`, { name: 'Once' }, etag);
    expect(proxy.seen).toEqual(['GetItem', 'UpdateItem', 'UpdateItem']);
    expect([reply.status, reply.body.name]).toEqual([200, 'Once']);
    expect((await user.get(`/assistants/${body.id}`)).headers.get('etag')).toBe(reply.headers.get('etag'));
  });

  it('a delete whose answer is lost is a success', async () => {
    const { body } = await create();
    once('lose');
    expect((await user.delete(`/assistants/${body.id}`)).status).toBe(200);
    expect((await user.get(`/assistants/${body.id}`)).status).toBe(404);
  });

  it('a credential is deleted also where the answer is lost, and the SDK finds it gone', async () => {
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-a-key-of-a-test' });
    proxy.seen.length = 0;
    proxy.decide = () => (proxy.seen.filter((one) => one === 'DeleteItem').length === 1 ? 'lose' : 'pass');
    expect((await user.delete('/user-credentials/openai')).status).toBe(200);
    expect(proxy.seen.filter((one) => one === 'DeleteItem')).toHaveLength(2);
    expect((await user.delete('/user-credentials/openai')).status).toBe(404);
  });

  it('a call log is saved all or not at all, and a worker that sends it again ends with one session', async () => {
    const { body: assistant } = await create();
    const sessions = async () => (await user.get<{ data: { total: number; chats: object[] } }>('/chat')).body.data;
    for (const turns of [2, 900]) {
      const before = await sessions();
      const transcript = Array.from({ length: turns }, (_, i) => ({
        id: `item_${i}`,
        role: 'user',
        content: randomUUID(),
      }));
      const log = { assistant_id: assistant.id, room_name: `room ${turns}`, transcript };
      proxy.decide = (operation) => (operation === 'TransactWriteItems' ? 'fail' : 'pass');
      expectUnavailable(await user.post('/logs/call-logs', log));
      proxy.decide = () => 'pass';
      expect(await sessions()).toEqual(before);
      proxy.decide = (operation) => (operation === 'TransactWriteItems' ? 'lose' : 'pass');
      expectUnavailable(await user.post('/logs/call-logs', log)); // stored, but nobody hears of it
      proxy.decide = () => 'pass';
      const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
      expect(await sessions()).toMatchObject({ total: before.total + 1 });
      const read = await user.get<{ data: { logs: object[] } }>(`/logs/chat-logs/${body.data.id}`);
      expect(read.body.data.logs).toHaveLength(turns);
    }
  });

  it('a deletion that fails half-way is completed when it is asked for again', async () => {
    const { body: assistant } = await create();
    const transcript = Array.from({ length: 900 }, (_, i) => ({
      id: `item_${i}`,
      role: 'user',
      content: randomUUID(),
    }));
    const log = { assistant_id: assistant.id, room_name: 'gone', transcript };
    const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
    const path = `/logs/chat-logs/${body.data.id}`;
    proxy.decide = (operation) => (operation === 'TransactWriteItems' ? 'fail' : 'pass');
    expectUnavailable(await user.delete(path));
    proxy.decide = () => 'pass';
    expect((await user.delete(path)).status).toBe(200);
    expect((await user.get(path)).status).toBe(404);
  });

  it('a database that never answers is 503 before the function’s time is up', async () => {
    proxy.decide = () => 'hang';
    expectUnavailable(await user.get('/assistants'));
  });
});
