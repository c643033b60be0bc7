import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { toEventKey, toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createOtherUser, createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { buildTurns } from '../support/create-everything.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { createDeployment } from '../support/recovery.ts';
import { eventually } from '../support/timeouts.ts';

interface Page {
  data: { events: JournalEvent[]; next_cursor: string | null };
}

const prompt = `prompt ${randomUUID()}`;
const apiKey = `sk-${randomUUID()}`;

const audit = async (who: Client, query = '') => (await who.get<Page>(`/logs/audit${query}`)).body.data;
const listEvents = async (who: Client, query = '') =>
  (await who.get<Page>(`/events?settled=false${query}`)).body.data.events;

type Created = { data: { id: string } };

describe('the journal', () => {
  let user: Client;
  let assistantId: string;
  beforeAll(async () => {
    user = await createUser();
  });

  it('has one event for each change, in order, with who made it and in which request', async () => {
    const created = await user.post<{ id: string }>('/assistants', { ...minimal, system_instruction: prompt });
    assistantId = created.body.id;
    const path = `/assistants/${assistantId}`;
    await user.put(path, { name: 'Front desk', voice: { language: 'de' }, first_message: prompt });
    const base = await uploadAndWait(user, 'We open at nine.', 'hours.txt');
    await user.put(`${path}/knowledge-bases/${base.id}`, undefined);
    await user.delete(`${path}/knowledge-bases/${base.id}`);
    await user.delete(`/assistants/knowledge-base/${base.id}`);
    const log = { assistant_id: assistantId, room_name: 'lobby', transcript: buildTurns(2) };
    const call = await user.post<Created>('/logs/call-logs', log);
    const longer = { ...log, transcript: [...log.transcript, ...buildTurns(1)] };
    await user.post('/logs/call-logs', longer);
    await user.delete(`/logs/chat-logs/${call.body.data.id}`);
    await user.post('/user-credentials', { service_type: 'openai', name: 'main', api_key: apiKey });
    const key = await user.post<Created>('/api-keys', { name: 'worker', scopes: ['runtime'] });
    const newer = await user.post<Created>('/api-keys/rotate', { id: key.body.data.id });
    const worker = await createWorker(user, ['runtime']);
    await worker.get(`${path}/runtime-config`);
    await user.delete(`/api-keys/${newer.body.data.id}`);
    await user.delete('/user-credentials/openai');
    await user.delete(path);

    const events = await listEvents(user);
    expect(events.map(({ type, data }) => [type, data])).toMatchObject([
      ['assistant.created', { name: minimal.name, revision: 1, knowledge_base_ids: [] }],
      ['assistant.updated', { name: 'Front desk', revision: 2, changed: expect.any(Array) }],
      ['knowledge_base.created', { file_name: 'hours.txt', assistant_ids: [] }],
      ['knowledge_base.ready', { file_name: 'hours.txt', chunk_count: 1 }],
      ['knowledge_base.attached', { assistant_id: assistantId }],
      ['knowledge_base.detached', { assistant_id: assistantId }],
      ['knowledge_base.deleted', { file_name: 'hours.txt' }],
      ['call.completed', { assistant_id: assistantId, room_name: 'lobby', message_count: 2 }],
      ['call.updated', { message_count: 3 }],
      ['call.deleted', { room_name: 'lobby' }],
      ['credential.saved', { service_type: 'openai', name: 'main' }],
      ['api_key.created', { name: 'worker', scopes: ['runtime'] }],
      ['api_key.rotated', { replacement_id: newer.body.data.id }],
      ['api_key.created', {}],
      ['credential.leased', { assistant_id: assistantId }],
      ['api_key.revoked', {}],
      ['credential.deleted', { name: 'main' }],
      ['assistant.deleted', {}],
    ]);
    const [first, second] = events;
    expect(first).toMatchObject({
      subject: { type: 'assistant', id: assistantId },
      actor: { kind: 'user', id: user.sub },
      user_id: user.sub,
      request_id: created.headers.get('x-request-id'),
    });
    expect(second?.data.changed).toEqual(['first_message', 'name', 'voice.language']);
    const actors = new Map(events.map(({ type, actor }) => [type, actor.kind]));
    expect([actors.get('credential.leased'), actors.get('knowledge_base.ready')]).toEqual(['api_key', 'service']);
    expect(JSON.stringify(events)).not.toContain(prompt);
    expect(JSON.stringify(events)).not.toContain(apiKey);
    expect((await audit(user)).events).toEqual(events.toReversed());
  });

  it.skipIf(deployed)('reaches the event bus, with what assistants find after a change', async () => {
    const events = await listEvents(user);
    const readBus = () =>
      readFileSync(join(inject('dataDir'), 'logs', 'bus.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line): JournalEvent => JSON.parse(line).detail)
        .filter(({ user_id }) => user_id === user.sub);
    const byId = (sent: JournalEvent[]) => new Map(sent.map((event) => [event.id, event]));
    const isDerived = ({ type }: JournalEvent) => (type as string) === 'search.updated';
    await eventually(() => expect(byId(readBus().filter((sent) => !isDerived(sent)))).toEqual(byId(events)));
    const derived = await eventually(() => {
      const found = [...byId(readBus().filter(isDerived)).values()];
      expect(found).toHaveLength(2);
      return found;
    });
    expect(derived.map(({ data }) => data.reason).toSorted()).toEqual([
      'knowledge_base.attached',
      'knowledge_base.detached',
    ]);
    for (const { data } of derived) expect(data.assistant_ids).toEqual([assistantId]);
  });

  it('has no event of a request that failed, changed nothing or was repeated', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { id } = (await user.post<{ id: string }>('/assistants', minimal, key)).body;
    const before = await listEvents(user);
    expect((await user.post('/assistants', minimal, key)).headers.get('idempotent-replay')).toBe('true');
    await user.put(`/assistants/${id}`, { name: minimal.name });
    await user.put(`/assistants/${id}`, { name: '' });
    await user.put(`/assistants/${id}`, { name: 'Late' }, { 'if-match': '"7"' });
    await user.delete(`/assistants/${randomUUID()}`);
    await user.delete('/user-credentials/nothing');
    await user.put(`/assistants/${id}/knowledge-bases/${randomUUID()}`, undefined);
    await user.post('/logs/call-logs', { assistant_id: randomUUID(), room_name: 'r', transcript: buildTurns(1) });
    const log = { assistant_id: id, room_name: 'twice', transcript: buildTurns(1) };
    await user.post('/logs/call-logs', log);
    await user.post('/logs/call-logs', log);
    const types = (await listEvents(user)).slice(before.length).map(({ type }) => type);
    expect(types).toEqual(['call.completed']);
  });

  it('shortens long texts and lists in what it tells', async () => {
    const who = await createUser();
    const { id } = (await who.post<{ id: string }>('/assistants', minimal)).body;
    const names = Array.from({ length: 60 }, (_, i) => `${i}`.padStart(2, '0').padEnd(100, 'x'));
    await who.put(`/assistants/${id}`, {
      name: 'n'.repeat(200),
      llm: Object.fromEntries(names.map((one) => [one, 1])),
    });
    const [event] = (await audit(who, '?type=assistant.updated')).events;
    const changed = names.slice(0, 50).map((name) => `${`llm.${name}`.slice(0, 60)}…`);
    expect(event?.data).toEqual({ name: 'n'.repeat(200), revision: 2, changed });
  });

  it.skipIf(deployed)('is listed without events that cannot be read', async () => {
    const who = await createUser();
    await who.post('/assistants', minimal);
    const { dynamoDb, table: TableName, issuer } = createDeployment();
    const damaged: Record<string, AttributeValue> = {
      type: { S: 'assistant.deleted' },
      unused: { N: '9007199254740993.5' },
    };
    for (let i = 0; i < 300; i++) {
      const Item = { ...marshall(toEventKey(toUserKey(issuer, who.sub), uuidv7())), ...damaged };
      await dynamoDb.send(new PutItemCommand({ TableName, Item }));
    }
    for (const events of [await listEvents(who), (await audit(who)).events, (await audit(who, '?limit=1')).events])
      expect(events.map(({ type }) => type)).toEqual(['assistant.created']);
  });

  it('is filtered by type, subject, actor and time', async () => {
    const { events } = await audit(user);
    const count = async (query: string) => (await audit(user, query)).events.length;
    const countIf = (keep: (event: JournalEvent) => boolean) => events.filter(keep).length;
    expect(await count('?type=assistant.created')).toBe(countIf(({ type }) => type === 'assistant.created'));
    expect(await count('?type=call.*')).toBe(countIf(({ type }) => type.startsWith('call.')));
    expect(await count(`?subject_id=${assistantId}`)).toBe(countIf(({ subject }) => subject.id === assistantId));
    expect(await count('?actor_id=ingest')).toBe(1);
    const middle = events[9]?.created_at ?? '';
    expect(await count(`?from=${middle}`)).toBe(countIf(({ created_at }) => created_at >= middle));
    expect(await count(`?to=${middle}`)).toBe(countIf(({ created_at }) => created_at <= middle));
    expect(await count('?from=2030-01-01T00:00:00Z')).toBe(0);
  });

  it.each([
    ['/logs/audit?type=call', 'query type enum'],
    ['/logs/audit?from=yesterday', 'query from datetime_parsing'],
    ['/logs/audit?limit=0', 'query limit greater_than_equal'],
    ['/logs/audit?cursor=abc', 'query cursor cursor'],
    ['/events?after=5', 'query after uuid_parsing'],
    ['/events?type=everything.*', 'query type enum'],
    ['/events?settled=maybe', 'query settled picklist'],
  ])('refuses %s, and names the field', async (path, fault) => {
    const reply = await user.get(path);
    expect([reply.status, listFaults(reply)]).toEqual([422, [expect.stringContaining(fault.split(' ')[1] ?? '')]]);
  });

  it('is read page by page in both directions, without a gap or a double', async () => {
    const ids = (await listEvents(user)).map(({ id }) => id);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page['data'] = await audit(user, `?limit=4${cursor && `&cursor=${cursor}`}`);
      walked.unshift(...page.events.map(({ id }) => id).toReversed());
      cursor = page.next_cursor;
    }
    expect(walked).toEqual(ids);
    const caught: string[] = [];
    for (;;) {
      const page = await listEvents(user, `&limit=4${caught.length > 0 ? `&after=${caught.at(-1)}` : ''}`);
      if (page.length === 0) break;
      caught.push(...page.map(({ id }) => id));
    }
    expect(caught).toEqual(ids);
    // All of them are younger than 20 seconds, or some have just settled.
    const { events: settled } = (await user.get<Page>('/events')).body.data;
    expect(ids.slice(0, settled.length)).toEqual(settled.map(({ id }) => id));
    for (const { created_at } of settled) expect(Date.parse(created_at)).toBeLessThan(Date.now() - 19_000);
  });

  it('is invisible to another user, and needs the scope events', async () => {
    const other = await createOtherUser();
    const page = await audit(user, '?limit=1');
    expect((await audit(other)).events.filter(({ user_id }) => user_id === user.sub)).toEqual([]);
    expect((await other.get(`/logs/audit?cursor=${page.next_cursor}`)).status).toBe(422);
    const reader = await createWorker(user, ['read', 'write', 'logs', 'runtime']);
    expect((await reader.get('/logs/audit')).status).toBe(403);
    const auditor = await createWorker(user, ['events']);
    expect((await auditor.get('/events')).status).toBe(200);
  });
});
