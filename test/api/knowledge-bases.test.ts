import { randomUUID } from 'node:crypto';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { FoundPassage, KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { toKnowledgeBaseKey, toUserKey } from '../../shared/store/table/keys.ts';
import { createOtherUser, createUser, deployed, listFaults } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { encodeAs } from '../support/encodings.ts';
import { listObjectFiles } from '../support/files.ts';
import {
  buildForm,
  getKnowledgeBase,
  postForm,
  upload,
  uploadAndWait,
  waitUntilParsed,
} from '../support/knowledge-bases.ts';

const user = await createUser();
const other = await createOtherUser();

const path = '/assistants/knowledge-base';
const readFixture = (name: string) => new Uint8Array(readFileSync(`test/data/documents/${name}`));
const list = async (query = '', who = user) =>
  (await who.get<{ data: { knowledge_bases: KnowledgeBase[]; next_cursor: string | null } }>(`${path}${query}`)).body
    .data;
const getAssistant = async (id: string) => (await user.get<Assistant>(`/assistants/${id}`)).body;
const listAttached = async (id: string) => (await getAssistant(id)).attached_knowledge_bases;
const attach = (assistant: string, id: string, who = user) =>
  who.put<{ data: { attached_at: string } }>(`/assistants/${assistant}/knowledge-bases/${id}`, undefined);
const detach = (assistant: string, id: string, who = user) =>
  who.delete(`/assistants/${assistant}/knowledge-bases/${id}`);
const search = (assistant: string, body: object, who = user) =>
  who.post<{ data: { passages: FoundPassage[] } }>(`/assistants/${assistant}/search`, body);

/** Waits until no queue holds the document's message. Fails if it is in a dead-letter queue. */
async function waitUntilHandled(id: string): Promise<void> {
  const messages = () =>
    globSync(`${inject('dataDir')}/queues/**/*.json`).filter((file) => readFileSync(file, 'utf8').includes(id));
  await expect.poll(messages).toEqual([]);
}

describe('uploading a document', () => {
  it('creates a knowledge base, which is ready after parsing', async () => {
    const { status, headers, body } = await upload(
      user,
      'We open at eight.\n\nWe close at noon.',
      'Öffnungs "zeiten".txt',
    );
    expect(status).toBe(200);
    expect(headers.get('location')).toMatch(new RegExp(`${path}/${body.data.id}$`));
    expect(body.data).toMatchObject({
      name: 'Öffnungs "zeiten"',
      file_name: 'Öffnungs "zeiten".txt',
      content_type: 'text/plain',
      size_bytes: 36,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'processing',
      status_reason: null,
      vectorstore_index: 'builtin',
      vectorstore_namespace: body.data.id,
      attached_assistant_ids: [],
    });
    const done = await waitUntilParsed(user, body.data.id);
    expect(done).toEqual({
      ...body.data,
      status: 'ready',
      char_count: 36,
      chunk_count: 1,
      updated_at: expect.any(String),
    });
  });

  it.each([
    ['fairy-tales.pdf', 'application/pdf'],
    ['footnotes.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['scanned-page.png', 'image/png'],
  ])('parses %s', async (name, content_type) => {
    const done = await uploadAndWait(user, readFixture(name), name);
    expect(done).toMatchObject({ status: 'ready', status_reason: null, content_type });
    expect(done.chunk_count).toBeGreaterThan(0);
  });

  it('reads a scan in the languages that its owner names', async () => {
    const form = buildForm(readFixture('lines-ko.png'), 'scan.png', { languages: 'ko,en' });
    const { body } = await postForm<{ data: KnowledgeBase }>(user, path, form);
    expect(await waitUntilParsed(user, body.data.id)).toMatchObject({ status: 'ready', warnings: [] });
  });

  it('takes the languages of a large file as a list', async () => {
    const body = { file_name: 'a.png', content_type: 'image/png', size_bytes: 1, languages: ['ko', 'en'] };
    expect((await user.post(`${path}/uploads`, body)).status).toBe(200);
    const reply = await user.post(`${path}/uploads`, { ...body, languages: ['tlh'] });
    expect([reply.status, listFaults(reply)]).toEqual([422, ['body.languages: unknown_language']]);
  });

  it('lists what its owner should know about a document that is ready', async () => {
    const done = await uploadAndWait(user, encodeAs('windows-1251', 'Магазин открыт с девяти часов.'), 'hours.txt');
    expect(done).toMatchObject({ status: 'ready', char_count: 30, warnings: [{ type: 'encoding_guessed' }] });
    const { body } = await user.get<{ data: { knowledge_bases: { warnings: unknown }[] } }>(path);
    expect(body.data.knowledge_bases[0]?.warnings).toEqual(done.warnings);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['damaged.pdf', `%PDF-1.7\n${'nonsense '.repeat(50)}`, 'damaged'],
    ['blank.txt', ' \n\n ', 'no_text'],
  ])('returns the reason why it could not parse %s', async (name, content, type) => {
    const { status, status_reason } = await uploadAndWait(user, content, name);
    expect([status, status_reason]).toEqual(['failed', { type, msg: expect.stringMatching(/upload/) }]);
  });

  it.each<[string, FormData, number, string]>([
    ['no part', new FormData(), 422, 'body.file: missing'],
    ['no file', buildForm('', '', {}), 422, 'body.file: missing'],
    ['an empty file', buildForm('', 'empty.txt'), 422, 'body.file: file_empty'],
    [
      'a program',
      buildForm(new Uint8Array([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4]), 'report.pdf'),
      415,
      'body.file: unsupported_media_type',
    ],
    [
      'an old Word file',
      buildForm(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a.doc'),
      415,
      'body.file: unsupported_media_type',
    ],
    [
      'an unknown language',
      buildForm('text', 'a.txt', { languages: 'en,tlh' }),
      422,
      'body.languages: unknown_language',
    ],
    [
      'more than five languages',
      buildForm('text', 'a.txt', { languages: 'en,de,es,fr,ar,ko' }),
      422,
      'body.languages: too_long',
    ],
    ['a blank name', buildForm('text', 'a.txt', { name: ' ' }), 422, 'body.name: string_blank'],
    ['more than 4 MB', buildForm('x'.repeat(4 * 1024 * 1024 + 1), 'a.txt'), 413, 'body.file: too_large'],
  ])('rejects %s', async (_, form, status, fault) => {
    const reply = await postForm(user, path, form);
    expect([reply.status, listFaults(reply)]).toEqual([status, [fault]]);
  });

  it('accepts exactly 4 MB, and a name from the client', async () => {
    const reply = await postForm<{ data: KnowledgeBase }>(
      user,
      path,
      buildForm('word '.repeat(838_860), 'a.txt', { name: 'Mine', other: 'x' }),
    );
    expect([reply.status, reply.body.data.name, reply.headers.get('x-ignored-fields')]).toEqual([200, 'Mine', 'other']);
    await user.delete(`${path}/${reply.body.data.id}`);
  });

  it('twice with the same Idempotency-Key creates one knowledge base', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await upload(user, 'once', 'once.txt', { headers });
    const again = await upload(user, 'once', 'once.txt', { headers });
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    expect((await upload(user, 'twice', 'once.txt', { headers })).status).toBe(409);
    expect((await list()).knowledge_bases.filter(({ file_name }) => file_name === 'once.txt')).toHaveLength(1);
  });
});

describe('a direct upload to S3', () => {
  const requestUpload = (fields: object = {}) =>
    user.post<{ data: { knowledge_base: KnowledgeBase; upload: { url: string; fields: Record<string, string> } } }>(
      `${path}/uploads`,
      { file_name: 'large.txt', content_type: 'text/plain', size_bytes: 5_000_000, ...fields },
    );

  async function send(
    { url, fields }: { url: string; fields: Record<string, string> },
    content: string | Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([content]));
    const response = await fetch(url, { method: 'POST', body: form });
    expect(response.ok, await response.text()).toBe(true);
  }

  it('is parsed on arrival, when its hash becomes known', async () => {
    const { status, body } = await requestUpload({ size_bytes: 6_000_000 });
    const { knowledge_base, upload: form } = body.data;
    expect([status, knowledge_base.status, knowledge_base.sha256]).toEqual([200, 'processing', null]);
    const content = 'The archive is in the cellar. '.repeat(200_000);
    await send(form, content);
    const done = await waitUntilParsed(user, knowledge_base.id);
    expect(done).toMatchObject({
      status: 'ready',
      size_bytes: 6_000_000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await send(form, content.toUpperCase()); // the form stays valid for a while, but does not replace a parsed document
    expect(await getKnowledgeBase(user, knowledge_base.id)).toEqual(done);
    await user.delete(`${path}/${knowledge_base.id}`);
  });

  it('uses a form that is limited to one key, the exact size and ten minutes', async () => {
    const { data } = (await requestUpload()).body;
    const policy = JSON.parse(Buffer.from(data.upload.fields.Policy ?? '', 'base64').toString());
    expect(policy.conditions).toContainEqual(['content-length-range', 5_000_000, 5_000_000]);
    expect(policy.conditions).toContainEqual({
      key: expect.stringMatching(new RegExp(`^uploads/[\\w-]{43}/${data.knowledge_base.id}$`)),
    });
    expect(policy.conditions.some((condition: object) => 'bucket' in condition)).toBe(true);
    expect(Date.parse(policy.expiration) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it.skipIf(deployed)('leaves no files if it is deleted while it is parsed', async () => {
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const scan = readFixture('scanned-page.png'); // takes long to parse
    const { knowledge_base, upload: form } = (await requestUpload({ size_bytes: scan.length })).body.data;
    const { id } = knowledge_base;
    await send(form, scan);
    await expect.poll(async () => (await getKnowledgeBase(user, id)).sha256, { interval: 20 }).not.toBeNull();
    expect((await user.delete(`${path}/${id}`)).status).toBe(200);
    await waitUntilHandled(id);
    expect(listObjectFiles(`*/${toUserKey(url, user.sub)}`).filter((one) => one.includes(id))).toEqual([]);
  });

  it.skipIf(deployed)('is deleted if its knowledge base was deleted', async () => {
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const { knowledge_base, upload: form } = (await requestUpload({ size_bytes: 4 })).body.data;
    expect((await user.delete(`${path}/${knowledge_base.id}`)).status).toBe(200);
    await send(form, 'text');
    await waitUntilHandled(knowledge_base.id);
    expect(listObjectFiles(`*/${toUserKey(url, user.sub)}`).filter((one) => one.includes(knowledge_base.id))).toEqual(
      [],
    );
  });

  it.skipIf(deployed)('is skipped if the file is gone when it is ingested', async () => {
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint: inject('dynamoDb'), region: 'us-east-1', credentials }),
    );
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const owner = toUserKey(url, user.sub);
    const { knowledge_base, upload: form } = (await requestUpload({ size_bytes: 4 })).body.data;
    // Without the row, ingestion deletes the file itself, if it is faster than this test.
    const row = { TableName: inject('tableName'), Key: toKnowledgeBaseKey(owner, knowledge_base.id) };
    const { Attributes: Item } = await client.send(new DeleteCommand({ ...row, ReturnValues: 'ALL_OLD' }));
    await send(form, 'text');
    for (const object of listObjectFiles(`uploads/${owner}`))
      if (object.includes(knowledge_base.id)) rmSync(object, { force: true });
    await client.send(new PutCommand({ ...row, Item }));
    client.destroy();
    await waitUntilHandled(knowledge_base.id);
    expect((await getKnowledgeBase(user, knowledge_base.id)).status).toBe('processing');
  });

  it.each([
    [{ size_bytes: 0 }, 'body.size_bytes: greater_than_equal'],
    [{ size_bytes: 50_000_001 }, 'body.size_bytes: less_than_equal'],
    [{ size_bytes: '5' }, 'body.size_bytes: float_type'],
    [{ file_name: undefined }, 'body.file_name: missing'],
  ])('rejects a request with %j', async (fields, fault) => {
    const reply = await requestUpload(fields);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });
});

describe('the list of knowledge bases', () => {
  it('shows only the user’s own, newest first, across pages', async () => {
    const mine = await createUser();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await upload(mine, `text ${i}`)).body.data.id);
    expect((await list('', mine)).knowledge_bases.map(({ id }) => id)).toEqual(ids);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${cursor && `&cursor=${cursor}`}`, mine);
      walked.push(...page.knowledge_bases.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual(ids);
    expect((await other.get(`${path}/${ids[0]}`)).status).toBe(404);
    expect((await user.get(`${path}/${randomUUID()}`)).status).toBe(404);
    expect((await user.get(`${path}/nonsense`)).status).toBe(422);
  });
});

describe('attaching', () => {
  it('is idempotent, shows on both sides, and can be undone', async () => {
    const { body: assistant } = await createAssistant(user);
    const { body: made } = await upload(user, 'text');
    const { id } = made.data;
    const first = await attach(assistant.id, id);
    expect(first.body.data).toEqual({
      assistant_id: assistant.id,
      knowledge_base_id: id,
      attached_at: expect.any(String),
    });
    expect((await attach(assistant.id, id)).body).toEqual(first.body);
    const done = await waitUntilParsed(user, id);
    const { name, file_name, content_type, size_bytes } = done;
    expect(await listAttached(assistant.id)).toEqual([
      { id, name, file_name, content_type, size_bytes, status: 'ready', attached_at: first.body.data.attached_at },
    ]);
    expect(done.attached_assistant_ids).toEqual([assistant.id]);
    const all = (await user.get<Assistant[]>('/assistants')).body;
    expect(all.find((one) => one.id === assistant.id)?.attached_knowledge_bases).toHaveLength(1);

    const gone = await detach(assistant.id, id);
    expect([gone.status, gone.body]).toMatchObject([
      200,
      { data: { assistant_id: assistant.id, knowledge_base_id: id } },
    ]);
    const again = await detach(assistant.id, id);
    expect([again.status, listFaults(again)]).toEqual([404, ['path.knowledge_base_id: not_found']]);
    expect(await listAttached(assistant.id)).toEqual([]);
    expect((await getKnowledgeBase(user, id)).attached_assistant_ids).toEqual([]);
  });

  it('changes the ETag, but still accepts an update with the old one', async () => {
    const { body: assistant, headers } = await createAssistant(user);
    const { body: made } = await upload(user, 'text');
    await attach(assistant.id, made.data.id);
    const etag = headers.get('etag') ?? '';
    const get = await user.get(`/assistants/${assistant.id}`, { 'if-none-match': etag });
    expect([get.status, get.headers.get('etag')?.split('-')[0]]).toEqual([200, etag.split('-')[0]]);
    expect((await user.put(`/assistants/${assistant.id}`, { name: 'Other' }, { 'if-match': etag })).status).toBe(200);
    expect(await listAttached(assistant.id)).toHaveLength(1);
  });

  it('returns 404 for another user’s assistant or knowledge base', async () => {
    const { body: assistant } = await createAssistant(user);
    const { body: foreign } = await createAssistant(other);
    const { body: mine } = await upload(user, 'text');
    const { body: theirs } = await upload(other, 'text');
    for (const [one, two, part] of [
      [assistant.id, theirs.data.id, 'knowledge_base_id'],
      [assistant.id, randomUUID(), 'knowledge_base_id'],
      [foreign.id, mine.data.id, 'assistant_id'],
    ] as const) {
      const reply = await attach(one, two);
      expect([reply.status, listFaults(reply)]).toEqual([404, [`path.${part}: not_found`]]);
    }
    expect((await detach(foreign.id, mine.data.id)).status).toBe(404);
  });

  it('is limited to 50 per assistant', async () => {
    const { body: assistant } = await createAssistant(user);
    const ids = await Promise.all(
      Array.from({ length: 51 }, async (_, i) => (await upload(user, `text ${i}`)).body.data.id),
    );
    for (const id of ids.slice(0, 50)) expect((await attach(assistant.id, id)).status).toBe(200);
    const last = await attach(assistant.id, ids[50] ?? '');
    expect([last.status, listFaults(last)]).toEqual([409, ['path.assistant_id: conflict']]);
    expect((await attach(assistant.id, ids[0] ?? '')).status).toBe(200); // already attached
    expect(await listAttached(assistant.id)).toHaveLength(50);
    expect((await user.delete(`/assistants/${assistant.id}`)).status).toBe(200);
    expect((await getKnowledgeBase(user, ids[0] ?? '')).attached_assistant_ids).toEqual([]);
  });

  it('follows from knowledge_base of an assistant, on create and on update', async () => {
    const { body: made } = await upload(user, 'text');
    const { id } = made.data;
    const pair = { vectorstore_index: 'builtin', vectorstore_namespace: id };
    const { status, body: created } = await createAssistant(user, { knowledge_base: pair });
    expect([status, created.attached_knowledge_bases.map((one) => one.id)]).toEqual([200, [id]]);
    expect(await getAssistant(created.id)).toMatchObject({ knowledge_base: pair, attached_knowledge_bases: [{ id }] });
    const { body: plain } = await createAssistant(user);
    const updated = await user.put<Assistant>(`/assistants/${plain.id}`, { knowledge_base: pair });
    expect(updated.body.attached_knowledge_bases.map((one) => one.id)).toEqual([id]);
    expect((await getKnowledgeBase(user, id)).attached_assistant_ids).toEqual([created.id, plain.id].sort());
    expect((await user.put(`/assistants/${plain.id}`, { name: 'Other' })).status).toBe(200);

    await detach(plain.id, id);
    const read = await getAssistant(plain.id);
    expect(read.knowledge_base).toEqual({ vectorstore_index: null, vectorstore_namespace: null });
    expect((await user.put<Assistant>(`/assistants/${plain.id}`, read)).body.attached_knowledge_bases).toEqual([]);
    const again = await user.put<Assistant>(`/assistants/${plain.id}`, { knowledge_base: pair });
    expect(again.body.attached_knowledge_bases.map((one) => one.id)).toEqual([id]);
    await user.delete(`${path}/${id}?force=true`);
    expect((await user.put(`/assistants/${plain.id}`, await getAssistant(plain.id))).status).toBe(200);

    const { body: theirs } = await upload(other, 'text');
    for (const vectorstore_namespace of [theirs.data.id, randomUUID(), 'nonsense', 'ü'.repeat(256)]) {
      const knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace };
      for (const reply of [
        await createAssistant(user, { knowledge_base }),
        await user.put(`/assistants/${plain.id}`, { knowledge_base }),
      ]) {
        expect([reply.status, listFaults(reply)]).toEqual([
          404,
          ['body.knowledge_base.vectorstore_namespace: not_found'],
        ]);
      }
    }
    const elsewhere = { vectorstore_index: 'pinecone', vectorstore_namespace: randomUUID() };
    expect((await createAssistant(user, { knowledge_base: elsewhere })).body.knowledge_base).toEqual(elsewhere);
  });

  it('is part of an upload to an assistant', async () => {
    const { body: assistant } = await createAssistant(user);
    const toOptions = (id: string) => ({ path: `/assistants/${id}/knowledge-base` });
    const { status, body } = await upload(user, 'text', 'a.txt', toOptions(assistant.id));
    expect([status, body.data.attached_assistant_ids]).toEqual([200, [assistant.id]]);
    expect((await listAttached(assistant.id)).map(({ id }) => id)).toEqual([body.data.id]);
    const keyed = { ...toOptions(assistant.id), headers: { 'idempotency-key': randomUUID() } };
    const ids = [body.data.id, (await upload(user, 'text', 'b.txt', keyed)).body.data.id];
    const replay = await upload(user, 'text', 'b.txt', keyed);
    expect([replay.status, replay.body.data.id]).toEqual([200, ids[1]]);
    const lost = await upload(user, 'text', 'a.txt', toOptions(randomUUID()));
    expect([lost.status, listFaults(lost)]).toEqual([404, ['path.assistant_id: not_found']]);
  });
});

describe('deleting', () => {
  it('a knowledge base returns 409 while it is attached, unless forced', async () => {
    const { body: assistant } = await createAssistant(user);
    const { id } = await uploadAndWait(user, 'text');
    await attach(assistant.id, id);
    const refused = await user.delete(`${path}/${id}`);
    expect([refused.status, listFaults(refused)]).toEqual([409, ['query.force: conflict']]);
    expect((await user.delete(`${path}/${id}?force=maybe`)).status).toBe(422);
    expect((await other.delete(`${path}/${id}?force=true`)).status).toBe(404);
    const { status, body } = await user.delete<{ data: object }>(`${path}/${id}?force=true`);
    expect([status, body.data]).toEqual([200, { id }]);
    expect(await listAttached(assistant.id)).toEqual([]);
    for (const reply of [
      await user.get(`${path}/${id}`),
      await user.delete(`${path}/${id}`),
      await attach(assistant.id, id),
    ]) {
      expect(reply.status).toBe(404);
    }
  });

  it.skipIf(deployed)('is completed by the queue if it was interrupted', async () => {
    const options = { region: 'us-east-1', credentials };
    const table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: inject('dynamoDb'), ...options }));
    const s3 = new S3Client({ endpoint: inject('s3'), ...options });
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const owner = toUserKey(url, user.sub);
    const { body: assistant } = await createAssistant(user);
    const { id } = await uploadAndWait(user, 'text');
    await attach(assistant.id, id);
    // State after the first step of a deletion.
    await s3.send(
      new PutObjectCommand({ Bucket: inject('bucketName'), Key: `erasures/${owner}/${id}`, Body: Buffer.of() }),
    );
    const hide = { UpdateExpression: 'SET deleting = :true', ExpressionAttributeValues: { ':true': true } };
    await table.send(
      new UpdateCommand({ TableName: inject('tableName'), Key: toKnowledgeBaseKey(owner, id), ...hide }),
    );
    expect(await listAttached(assistant.id)).toEqual([]);
    const stored = () => listObjectFiles(`*/${owner}`).filter((one) => one.includes(id)).length;
    expect(stored()).toBe(3);
    await expect.poll(stored).toBe(0);
    await waitUntilHandled(id);
    expect((await user.delete(`${path}/${id}`)).status).toBe(404);
    s3.destroy();
    table.destroy();
  });

  it.skipIf(deployed)('leaves no files', async () => {
    const mine = await createUser();
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const files = () => listObjectFiles(`*/${toUserKey(url, mine.sub)}`);
    const { id } = await uploadAndWait(mine, 'text');
    expect(files()).toHaveLength(2);
    await mine.delete(`${path}/${id}`);
    expect(files()).toEqual([]);
  });

  it('an assistant detaches its knowledge bases', async () => {
    const { body: assistant } = await createAssistant(user);
    const { body: made } = await upload(user, 'text');
    await attach(assistant.id, made.data.id);
    const stale = await user.delete(`/assistants/${assistant.id}`, { 'if-match': '"7-x"' });
    expect(stale.status).toBe(412);
    expect((await user.delete(`/assistants/${assistant.id}`)).status).toBe(200);
    expect((await getKnowledgeBase(user, made.data.id)).attached_assistant_ids).toEqual([]);
  });
});

describe('searching', () => {
  it('ranks the passages of all attached documents together', async () => {
    const { body: assistant } = await createAssistant(user);
    const hours = await uploadAndWait(user, 'On Saturdays the clinic opens at nine and closes at noon.', 'hours.txt');
    const prices = await uploadAndWait(user, 'A check-up costs eighty francs. Cleaning costs ninety.', 'prices.txt');
    const tales = await uploadAndWait(user, readFixture('fairy-tales.pdf'), 'tales.pdf');
    for (const { id } of [hours, prices, tales]) await attach(assistant.id, id);
    const [best] = (await search(assistant.id, { query: 'How much is a check-up?' })).body.data.passages;
    expect(best).toEqual({
      knowledge_base_id: prices.id,
      file_name: 'prices.txt',
      page: null,
      text: 'A check-up costs eighty francs. Cleaning costs ninety.',
      score: expect.any(Number),
    });
    const { passages } = (await search(assistant.id, { query: 'When does the clinic open on saturday?', limit: 2 }))
      .body.data;
    expect(passages).toHaveLength(2);
    expect(passages[0]?.knowledge_base_id).toBe(hours.id);
    expect(passages[0]?.score).toBeGreaterThanOrEqual(passages[1]?.score ?? 0);
    const [tale] = (await search(assistant.id, { query: 'Oliver Twist undertaker coffins' })).body.data.passages;
    expect([tale?.knowledge_base_id, tale?.page]).toEqual([tales.id, expect.any(Number)]);
    await detach(assistant.id, prices.id);
    const after = (await search(assistant.id, { query: 'How much is a check-up?' })).body.data.passages;
    expect(after.map(({ knowledge_base_id }) => knowledge_base_id)).not.toContain(prices.id);
  });

  it.skipIf(deployed)('skips documents with a missing file in S3', async () => {
    const mine = await createUser();
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const { body: assistant } = await createAssistant(mine);
    const { id } = await uploadAndWait(mine, 'The clinic opens at nine.');
    await attach(assistant.id, id, mine);
    for (const file of listObjectFiles(`passages/${toUserKey(url, mine.sub)}`)) rmSync(file);
    const { status, body } = await search(assistant.id, { query: 'clinic' }, mine);
    expect([status, body.data]).toEqual([200, { passages: [] }]);
  });

  it('returns nothing for an assistant without documents', async () => {
    const { body: assistant } = await createAssistant(user);
    expect((await search(assistant.id, { query: 'anything' })).body.data).toEqual({ passages: [] });
    expect((await search(assistant.id, { query: 'anything' }, other)).status).toBe(404);
  });

  it.each([
    [{ query: '' }, 'body.query: string_blank'],
    [{ query: 'x'.repeat(2_001) }, 'body.query: string_too_long'],
    [{ query: 'a', limit: 21 }, 'body.limit: less_than_equal'],
    [{ query: 'a', limit: 0 }, 'body.limit: greater_than_equal'],
    [{}, 'body.query: missing'],
  ])('rejects an invalid query (%#)', async (body, fault) => {
    const { body: assistant } = await createAssistant(user);
    const reply = await search(assistant.id, body);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });

  it.each(['"', 'AND OR NOT', 'a:b^2 ~*?', '\\', '*'.repeat(2_000), '😀'])(
    'treats operators as plain text: %#',
    async (query) => {
      const { body: assistant } = await createAssistant(user);
      const { id } = await uploadAndWait(user, 'plain words');
      await attach(assistant.id, id);
      expect((await search(assistant.id, { query })).status).toBe(200);
    },
  );
});
