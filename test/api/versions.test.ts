import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { toAttributes } from '../../infra/commands/data/deployment/row.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Live } from '../../shared/schemas/live.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import type { Change, Version, VersionContent } from '../../shared/schemas/version.ts';
import { toUserKey, toVersionKey } from '../../shared/store/table/keys.ts';
import { type Client, createUser, deployed } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { upload } from '../support/knowledge-bases.ts';
import { createDeployment } from '../support/recovery.ts';
import { eventually } from '../support/timeouts.ts';

interface Data<T> {
  data: T;
}
interface Listing {
  versions: Version[];
  live: Live | null;
  next_cursor: string | null;
}

let user: Client;
let worker: Client;
beforeAll(async () => {
  user = await createUser();
  worker = await createWorker(user, ['runtime', 'logs']);
});

const create = async (fields: object = {}) => (await createAssistant(user, fields)).body.id;
const edit = (id: string, fields: object, headers = {}) => user.put<Assistant>(`/assistants/${id}`, fields, headers);
const publish = (id: string, body: object = {}, headers = {}) =>
  user.post<Data<Version>>(`/assistants/${id}/versions`, body, headers);
const list = async (id: string, query = '') =>
  (await user.get<Data<Listing>>(`/assistants/${id}/versions${query}`)).body.data;
const read = async (id: string, version: number | string) =>
  (await user.get<Data<VersionContent>>(`/assistants/${id}/versions/${version}`)).body.data;
const diff = async (id: string, version: number | string, query = '') =>
  (await user.get<Data<{ changes: Change[] }>>(`/assistants/${id}/versions/${version}/diff${query}`)).body.data.changes;
const setLive = (id: string, body: object, headers = {}) =>
  user.put<Data<{ live: Live | null }>>(`/assistants/${id}/live`, body, headers);
const readConfig = async (id: string, query = '') =>
  (await worker.get<Data<RuntimeConfig>>(`/assistants/${id}/runtime-config${query}`)).body.data;
const startCall = async (id: string, room_name: string) =>
  (await worker.post<Data<RuntimeConfig>>(`/assistants/${id}/runtime-config`, { call: { room_name } })).body.data;
const readAssistant = async (id: string) => (await user.get<Assistant>(`/assistants/${id}`)).body;

describe('an assistant that was never published', () => {
  it('gives calls its draft, and shows nothing of versions', async () => {
    const id = await create({ description: 'First' });
    expect(await readAssistant(id)).toMatchObject({ live: null, has_unpublished_changes: false });
    await edit(id, { description: 'Second' });
    expect(await readConfig(id)).toMatchObject({ version: null, assistant: { description: 'Second' } });
    expect(await list(id)).toEqual({ versions: [], live: null, next_cursor: null });
    expect(await read(id, 'live')).toMatchObject({ version: null, weight: 100, assistant: { description: 'Second' } });
  });
});

describe('publishing', () => {
  it('makes a version that calls keep while the draft is edited', async () => {
    const id = await create({ description: 'First' });
    const { status, body, headers } = await publish(id, { note: 'Ready' });
    expect([status, headers.get('location')]).toEqual([200, expect.stringMatching(`/assistants/${id}/versions/1$`)]);
    expect(body.data).toMatchObject({ version: 1, note: 'Ready', weight: 100, published_by: user.sub });
    expect(await readAssistant(id)).toMatchObject({ live: { versions: [{ version: 1, weight: 100 }] } });

    await edit(id, { description: 'Second' });
    expect(await readAssistant(id)).toMatchObject({ description: 'Second', has_unpublished_changes: true });
    expect(await readConfig(id)).toMatchObject({ version: 1, assistant: { description: 'First' } });
    expect(await startCall(id, 'room')).toMatchObject({ version: 1, assistant: { description: 'First' } });
    expect(await readConfig(id, '?version=draft')).toMatchObject({
      version: null,
      assistant: { description: 'Second' },
    });

    await publish(id);
    expect(await readConfig(id)).toMatchObject({ version: 2, assistant: { description: 'Second' } });
    expect(await readConfig(id, '?version=1')).toMatchObject({ version: 1, assistant: { description: 'First' } });
    expect(await readAssistant(id)).toMatchObject({ has_unpublished_changes: false });
  });

  it('makes nothing of a draft that equals the newest version, but makes it live', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'Other' });
    await publish(id, { live: false });
    expect((await list(id)).live).toMatchObject({ versions: [{ version: 1, weight: 100 }] });
    expect((await publish(id, { note: 'Again' })).body.data).toMatchObject({ version: 2, note: null, weight: 100 });
    expect(await list(id)).toMatchObject({
      versions: [
        { version: 2, weight: 100 },
        { version: 1, weight: 0 },
      ],
    });
  });

  it('is answered the same for the same Idempotency-Key, whatever was edited since', async () => {
    const id = await create();
    const key = { 'idempotency-key': randomUUID() };
    const first = await publish(id, {}, key);
    await edit(id, { name: 'Other' });
    const second = await publish(id, {}, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await list(id)).versions).toHaveLength(1);
  });

  it('refuses a draft that has changed since it was read', async () => {
    const id = await create();
    const read = await user.get(`/assistants/${id}`);
    const seen = { 'if-match': read.headers.get('etag') ?? '' };
    expect((await publish(id, {}, seen)).status).toBe(200);
    expect((await edit(id, { name: 'Mine' }, seen)).status, 'publishing is no edit').toBe(200);
    expect((await publish(id, {}, seen)).status).toBe(412);
  });

  it('records which knowledge bases were attached, and pins none', async () => {
    const id = await create();
    const { body: document } = await upload(user, 'Open at nine', 'hours.txt');
    await user.put(`/assistants/${id}/knowledge-bases/${document.data.id}`, undefined);
    const knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: document.data.id };
    await edit(id, { knowledge_base });
    await publish(id);
    expect(await read(id, 1)).toMatchObject({
      attached_knowledge_base_ids: [document.data.id],
      assistant: { knowledge_base },
    });
    const again = await user.post<Assistant>(`/assistants/${id}/versions/1/restore`, {});
    expect(again.body.attached_knowledge_bases).toMatchObject([{ id: document.data.id }]);
    await user.delete(`/assistants/${id}/knowledge-bases/${document.data.id}`);
    expect(await readAssistant(id), 'detaching is no edit').toMatchObject({ has_unpublished_changes: false });
    const restored = await user.post<Assistant>(`/assistants/${id}/versions/1/restore`, {});
    expect(restored.body).toEqual(await readAssistant(id));
    const { assistant } = await readConfig(id);
    expect(assistant).toMatchObject({
      attached_knowledge_bases: [],
      knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
    });
  });

  it('has one winner of many at once, and no version twice', async () => {
    const id = await create();
    const replies = await Promise.all(Array.from({ length: 4 }, () => publish(id)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await list(id)).versions).toMatchObject([{ version: 1 }]);
  });

  it('never mixes a version with an edit at the same time', async () => {
    const id = await create({ name: 'a', description: 'a' });
    const edits = ['b', 'c', 'd'].map((name) => edit(id, { name, description: name }));
    const replies = await Promise.all([...edits, publish(id), publish(id), user.get(`/assistants/${id}`)]);
    expect(new Set(replies.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    for (const { version } of (await list(id)).versions) {
      const { assistant } = await read(id, version);
      expect(assistant.name).toBe(assistant.description);
    }
  });

  it('compares the draft by its values, not by the order of its settings', async () => {
    const id = await create({ llm: { first: 1, second: 2 } });
    await publish(id);
    await edit(id, { llm: { first: null } });
    expect(await readAssistant(id)).toMatchObject({ has_unpublished_changes: true });
    await edit(id, { llm: { first: 1 } });
    expect(await readAssistant(id)).toMatchObject({ has_unpublished_changes: false });
  });
});

describe('the versions of an assistant', () => {
  it('are listed newest first, in pages', async () => {
    const id = await create();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await edit(id, { name });
      await publish(id, { note: name });
    }
    const first = await list(id, '?limit=2');
    expect(first.versions.map(({ version, note }) => [version, note])).toEqual([
      [5, 'e'],
      [4, 'd'],
    ]);
    const second = await list(id, `?limit=3&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ versions: [{ version: 3 }, { version: 2 }, { version: 1 }], next_cursor: null });
    expect(JSON.stringify(first)).not.toContain('system_instruction');
  });

  it('are read with a tag, and none afterwards that has not changed', async () => {
    const id = await create();
    await publish(id);
    for (const version of [1, 'live', 'draft']) {
      const path = `/assistants/${id}/versions/${version}`;
      const { headers } = await user.get(path);
      const tag = headers.get('etag') ?? '';
      expect((await user.get(path, { 'if-none-match': tag })).status).toBe(304);
      await edit(id, { name: randomUUID() });
      expect((await user.get(path, { 'if-none-match': tag })).status).toBe(version === 'draft' ? 200 : 304);
    }
  });

  it('are compared: texts, settings, tools by name', async () => {
    const tool = { type: 'client', name: 'show_map', description: 'Shows a map' };
    const id = await create({ voice: { speed: 1 }, tools: [tool, { type: 'end_call' }] });
    await publish(id);
    await edit(id, {
      system_instruction: 'Be brief.',
      voice: { language: 'de', speed: null },
      tools: [{ type: 'end_call' }, { ...tool, description: 'Shows the way' }],
    });
    const changes = [
      { path: ['system_instruction'], before: expect.any(String), after: 'Be brief.' },
      { path: ['voice', 'language'], before: 'en', after: 'de' },
      { path: ['voice', 'speed'], before: 1, after: null },
      { path: ['tools', 'show_map', 'description'], before: 'Shows a map', after: 'Shows the way' },
    ];
    expect(await diff(id, 'draft')).toEqual(expect.arrayContaining(changes));
    await publish(id);
    expect(await diff(id, 2)).toHaveLength(4);
    expect(await diff(id, 2, '?against=draft')).toEqual([]);
    expect(await diff(id, 1, '?against=2')).toHaveLength(4);
    expect(await diff(id, 1)).toEqual([]);
  });

  it('are restored into the draft, which calls do not notice', async () => {
    const id = await create({ description: 'First', llm: { temperature: 0.5 } });
    await publish(id);
    await edit(id, { description: 'Second', llm: { temperature: null, top_p: 1 } });
    await publish(id);
    const { status, body } = await user.post<Assistant>(`/assistants/${id}/versions/1/restore`, {});
    expect([status, body.description, body.llm.temperature, body.llm.top_p]).toEqual([200, 'First', 0.5, undefined]);
    expect(body.has_unpublished_changes).toBe(true);
    expect(await readConfig(id)).toMatchObject({ version: 2, assistant: { description: 'Second' } });
    const again = await user.post<Assistant>(`/assistants/${id}/versions/1/restore`, {});
    expect(again.body.updated_at, 'restoring it again changes nothing').toBe(body.updated_at);
    const stale = { 'if-match': '"1-x"' };
    expect((await user.post(`/assistants/${id}/versions/2/restore`, {}, stale)).status).toBe(412);
  });

  it('are deleted unless they are live, and never numbered again', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'b' });
    await publish(id);
    expect((await user.delete(`/assistants/${id}/versions/2`)).status).toBe(409);
    const { status, body } = await user.delete<Data<object>>(`/assistants/${id}/versions/1`);
    expect([status, body.data]).toEqual([200, { assistant_id: id, version: 1 }]);
    expect((await user.delete(`/assistants/${id}/versions/1`)).status).toBe(404);
    await setLive(id, { versions: [] });
    expect((await user.delete(`/assistants/${id}/versions/2`)).status).toBe(200);
    expect((await publish(id)).body.data).toMatchObject({ version: 3 });
  });

  it('end with their assistant', async () => {
    const id = await create();
    await publish(id);
    await user.delete(`/assistants/${id}`);
    for (const path of ['', '/1', '/live', '/draft', '/1/diff'])
      expect((await user.get(`/assistants/${id}/versions${path}`)).status, path).toBe(404);
  });
});

describe('the live versions', () => {
  it('are rolled back by one request', async () => {
    const id = await create({ description: 'Good' });
    await publish(id);
    await edit(id, { description: 'Bad' });
    await publish(id);
    const { body } = await setLive(id, { version: 1 });
    expect(body.data.live).toMatchObject({ versions: [{ version: 1, weight: 100 }], changed_by: user.sub });
    expect(await readConfig(id)).toMatchObject({ version: 1, assistant: { description: 'Good' } });
    expect((await setLive(id, { versions: [] })).body.data).toEqual({ live: null });
    expect(await readConfig(id)).toMatchObject({ version: null, assistant: { description: 'Bad' } });
  });

  it('share the calls by their rooms, the same for every read', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'b' });
    await publish(id, { live: false });
    const shares = [
      { version: 1, weight: 60 },
      { version: 2, weight: 40 },
    ];
    expect((await setLive(id, { versions: shares })).body.data.live?.versions).toEqual(shares.toReversed());
    const rooms = Array.from({ length: 12 }, (_, i) => `room ${i}`);
    const first = await Promise.all(rooms.map(async (room) => (await startCall(id, room)).version));
    const second = await Promise.all(
      rooms.map(async (room) => (await readConfig(id, `?call=${encodeURIComponent(room)}`)).version),
    );
    expect(second).toEqual(first);
    expect(new Set(first)).toEqual(new Set([1, 2]));
    expect((await readConfig(id)).version, 'without a room, the heaviest').toBe(1);
  });

  it('refuse weights that are wrong, and versions that are gone', async () => {
    const id = await create();
    await publish(id);
    const one = (weight: unknown, version: unknown = 1) => ({ versions: [{ version, weight }] });
    for (const body of [
      one(99),
      one(101),
      one(0),
      one(50.5),
      one('100'),
      one(100, 0),
      one(100, 1.5),
      one(100, null),
      {
        versions: [
          { version: 1, weight: 50 },
          { version: 1, weight: 50 },
        ],
      },
      { versions: Array.from({ length: 6 }, (_, i) => ({ version: i + 1, weight: i ? 10 : 50 })) },
      { version: 1, versions: [] },
      { version: '1' },
      { versions: 1 },
      {},
    ])
      expect((await setLive(id, body)).status, JSON.stringify(body)).toBe(422);
    for (const body of [{ version: 2 }, one(100, 7)]) expect((await setLive(id, body)).status).toBe(409);
    expect((await setLive(randomUUID(), { version: 1 })).status).toBe(404);
    expect((await list(id)).live).toMatchObject({ versions: [{ version: 1, weight: 100 }] });
  });

  it('are changed by one of two people who read the same', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'b' });
    await publish(id, { live: false });
    const { headers } = await user.get(`/assistants/${id}/versions/live`);
    const seen = { 'if-match': headers.get('etag') ?? '' };
    const { status, headers: changed } = await setLive(id, { version: 2 }, seen);
    expect(status).toBe(200);
    expect((await setLive(id, { versions: [] }, seen)).status).toBe(412);
    for (const path of [`/assistants/${id}`, `/assistants/${id}/versions/1`]) {
      const other = (await user.get(path)).headers.get('etag') ?? '';
      expect((await setLive(id, { versions: [] }, { 'if-match': other })).status, 'a tag of something else').toBe(412);
    }
    expect((await setLive(id, { versions: [] }, { 'if-match': changed.get('etag') ?? '' })).status).toBe(200);
  });

  it('name no version that anyone could delete meanwhile', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'b' });
    await publish(id);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2 ? setLive(id, { version: 1 + (i % 3 === 0 ? 1 : 0) }) : user.delete(`/assistants/${id}/versions/1`),
      ),
    );
    expect(new Set(replies.map(({ status }) => status)).isSubsetOf(new Set([200, 404, 409]))).toBe(true);
    const { versions, live } = await list(id);
    const numbers = versions.map(({ version }) => version);
    expect(live?.versions.every(({ version }) => numbers.includes(version))).toBe(true);
    expect((await readConfig(id)).version).toBe(live?.versions[0]?.version);
  });
});

describe('a worker', () => {
  it('gets 304 while nothing of its version changes', async () => {
    const id = await create();
    await publish(id);
    const path = `/assistants/${id}/runtime-config`;
    const { headers } = await worker.get(path);
    const tag = { 'if-none-match': headers.get('etag') ?? '' };
    await edit(id, { name: 'Only the draft' });
    expect((await worker.get(path, tag)).status).toBe(304);
    await publish(id);
    expect((await worker.get(path, tag)).status).toBe(200);
  });

  it.skipIf(deployed)('gets 503 if its live version cannot be read, and never the draft', async () => {
    const id = await create();
    await publish(id);
    await edit(id, { name: 'Only the draft' });
    const { dynamoDb, table: TableName, issuer } = createDeployment();
    const Key = toAttributes(toVersionKey(toUserKey(issuer, user.sub), id, 1));
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName, Key }));
    const put = (content: AttributeValue | undefined) =>
      dynamoDb.send(new PutItemCommand({ TableName, Item: { ...Item, ...(content && { content }) } }));
    await put({ B: Buffer.from('damaged') });
    for (const query of ['', '?version=live', '?version=1']) {
      const reply = await worker.get(`/assistants/${id}/runtime-config${query}`);
      expect([reply.status, reply.headers.get('retry-after')], query).toEqual([503, '1']);
    }
    expect((await user.get(`/assistants/${id}/versions/1`)).status).toBe(503);
    const words = [`VERSION#${id}#000001`, toUserKey(issuer, user.sub)];
    const findWords = () => {
      const log = readFileSync(join(inject('dataDir'), 'logs', 'functions.log'), 'utf8');
      return words.map((word) => log.includes(word));
    };
    await eventually(() => expect(findWords()).toEqual([true, false])); // the whole digest of the user is in no log
    expect((await publish(id, { live: false })).status, 'another version can still be published').toBe(200);
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key }));
    expect((await worker.get(`/assistants/${id}/runtime-config`)).status).toBe(503);
    await put(undefined);
    expect(await readConfig(id)).toMatchObject({ version: 1 });
  });

  it('calls the tools of its version, also if the draft has none', async () => {
    const http = { url: 'https://tools.invalid/', timeout_seconds: 1 };
    const id = await create({ tools: [{ type: 'http', name: 'look_up', description: 'Looks it up', http }] });
    await publish(id);
    await edit(id, { tools: [] });
    const call = (query: string) => worker.post(`/assistants/${id}/tools/look_up/call${query}`, {});
    expect((await call('?version=1')).status).toBe(200);
    expect((await call('')).status).toBe(200);
    expect((await call('?version=draft')).status).toBe(404);
  });

  it('is refused versions that do not exist', async () => {
    const id = await create();
    await publish(id);
    for (const [version, status] of [
      ['2', 404],
      ['0', 422],
      ['x', 422],
      ['1.0', 422],
      ['-1', 422],
      ['1e2', 422],
    ]) {
      const reply = await worker.get(`/assistants/${id}/runtime-config?version=${version}`);
      expect(reply.status, String(version)).toBe(status);
    }
  });
});
