import { randomUUID } from 'node:crypto';
import { once as event } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createClient, deployed, listFaults, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { startFaultyHost } from '../support/faulty-host.ts';
import type { Fault } from '../support/faulty-proxy.ts';

describe.skipIf(deployed)('while the database fails', async () => {
  if (deployed) return;
  const { proxy, host, user, stop } = await startFaultyHost();
  const listNames = async () => (await user.get<Assistant[]>('/assistants')).body.map(({ name }) => name);
  const create = (headers: Record<string, string> = {}) => user.post<Assistant>('/assistants', minimal, headers);

  afterEach(() => {
    proxy.decide = () => 'pass';
  });
  afterAll(stop);

  /** Injects each fault once, in order. Later operations succeed. */
  const injectFaults = (...injected: Fault[]) => {
    proxy.decide = () => injected.shift() ?? 'pass';
  };

  function expectUnavailable(reply: Reply) {
    expect(reply.status).toBe(503);
    expect(listFaults(reply)).toEqual(['service: unavailable']);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.text).not.toMatch(/injected|dynamo|ECONN/i);
  }

  it.each(['throttle', 'fail', 'reset'] as const)(
    'every operation returns 503 and changes nothing (%s)',
    async (fault) => {
      const { body } = await create();
      const before = await listNames();
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
      expect(await listNames()).toEqual(before);
      expect((await user.get(path)).body).toEqual(body);
    },
  );

  it('the SDK retries a temporary fault, so that the client does not notice it', async () => {
    injectFaults('throttle', 'reset');
    expect((await create()).status).toBe(200);
  });

  it('a lost response creates no second assistant, with or without an Idempotency-Key', async () => {
    for (const headers of [{} as Record<string, string>, { 'idempotency-key': randomUUID() }]) {
      const before = await listNames();
      injectFaults('lose');
      const { status } = await create(headers);
      expect(status).toBe(200);
      expect(await listNames()).toHaveLength(before.length + 1);
    }
  });

  it('a client that retries with its Idempotency-Key after 503 creates exactly one assistant', async () => {
    const before = await listNames();
    const key = { 'idempotency-key': randomUUID() };
    proxy.decide = () => 'lose'; // stored, but the response is lost
    expectUnavailable(await create(key));
    proxy.decide = () => 'pass';
    const again = await create(key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(await listNames()).toHaveLength(before.length + 1);
  });

  it('a client that retries with its Idempotency-Key after a crash creates exactly one assistant', async () => {
    const before = await listNames();
    const key = { 'idempotency-key': randomUUID() };
    const runners = createFunctionRunners(host, () => {});
    const server = createServer(createGateway(host.assembly, runners, () => {})).listen(0, '127.0.0.1');
    await event(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stopAll = () => Promise.all([...runners.values()].map((runner) => runner.stop()));
    proxy.decide = (operation) => (operation === 'TransactWriteItems' ? { answerAfter: stopAll } : 'pass');
    const dead = await createClient(user.sub, user.token, `http://127.0.0.1:${port}`).post('/assistants', minimal, key);
    server.close();
    expect([dead.status, listFaults(dead)]).toEqual([502, ['service: bad_gateway']]);
    expect(dead.text).toContain('may have been carried out');
    expect(await listNames()).toHaveLength(before.length + 1);
    const again = await create(key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(await listNames()).toHaveLength(before.length + 1);
  });

  it('an update with If-Match is applied once if the response is lost', async () => {
    const { body, headers } = await create();
    proxy.decide = (operation) =>
      operation === 'TransactWriteItems' && !proxy.seen.slice(0, -1).includes(operation) ? 'lose' : 'pass';
    proxy.seen.length = 0;
    const etag = { 'if-match': headers.get('etag') ?? '' };
    const reply = await user.put<Assistant>(`/assistants/${body.id}`, { name: 'Once' }, etag);
    expect(proxy.seen).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems']);
    expect([reply.status, reply.body.name]).toEqual([200, 'Once']);
    expect((await user.get(`/assistants/${body.id}`)).headers.get('etag')).toBe(reply.headers.get('etag'));
  });

  it('a delete succeeds if the response is lost', async () => {
    const { body } = await create();
    injectFaults('lose');
    expect((await user.delete(`/assistants/${body.id}`)).status).toBe(200);
    expect((await user.get(`/assistants/${body.id}`)).status).toBe(404);
  });

  it('deleting a credential succeeds if the response is lost', async () => {
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-a-key-of-a-test' });
    proxy.seen.length = 0;
    proxy.decide = () => (proxy.seen.filter((one) => one === 'TransactWriteItems').length === 1 ? 'lose' : 'pass');
    expect((await user.delete('/user-credentials/openai')).status).toBe(200);
    expect(proxy.seen.filter((one) => one === 'TransactWriteItems')).toHaveLength(2);
    expect((await user.delete('/user-credentials/openai')).status).toBe(404);
  });

  it('a call log is saved completely or not at all, and a retry leaves one session', async () => {
    const { body: assistant } = await create();
    const listChats = async () => (await user.get<{ data: { total: number; chats: object[] } }>('/chat')).body.data;
    for (const turns of [2, 900]) {
      const before = await listChats();
      const transcript = Array.from({ length: turns }, (_, i) => ({
        id: `item_${i}`,
        role: 'user',
        content: randomUUID(),
      }));
      const log = { assistant_id: assistant.id, room_name: `room ${turns}`, transcript };
      proxy.decide = (operation) => (operation === 'TransactWriteItems' ? 'fail' : 'pass');
      expectUnavailable(await user.post('/logs/call-logs', log));
      proxy.decide = () => 'pass';
      expect(await listChats()).toEqual(before);
      proxy.decide = (operation) => (operation === 'TransactWriteItems' ? 'lose' : 'pass');
      expectUnavailable(await user.post('/logs/call-logs', log)); // stored, but the response is lost
      proxy.decide = () => 'pass';
      const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
      expect(await listChats()).toMatchObject({ total: before.total + 1 });
      const read = await user.get<{ data: { logs: object[] } }>(`/logs/chat-logs/${body.data.id}`);
      expect(read.body.data.logs).toHaveLength(turns);
    }
  });

  it('a retry completes a deletion that failed halfway', async () => {
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

  it('a database that does not respond causes 503 before the function times out', async () => {
    proxy.decide = () => 'hang';
    expectUnavailable(await user.get('/assistants'));
  });
});
