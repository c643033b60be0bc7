import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { NIL } from 'uuid';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import { parseRow, type Row, serializeRow, toAttributes } from '../../infra/commands/data/deployment/row.ts';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { hashItems, type Manifest, toFilePath } from '../../infra/commands/data/export/export-folder.ts';
import { createManifest, exportUser } from '../../infra/commands/data/export/exporter.ts';
import type { ExistingPolicy } from '../../infra/commands/data/import/existing-policy.ts';
import { importUser } from '../../infra/commands/data/import/importer.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import {
  toAssistantsPrefix,
  toDeliveryKey,
  toKnowledgeBasesPrefix,
  toSessionKey,
  toUserKey,
  toVersionsPrefix,
  toWorkspaceKey,
} from '../../shared/store/table/keys.ts';
import { createClient, createToken, createUser, deployed } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts';
import { createFullUser, type FullUser } from '../support/full-user.ts';
import { uploadAndWait, waitUntilParsed } from '../support/knowledge-bases.ts';
import {
  copyTable,
  createDeployment,
  createOwner,
  exportWholeUser,
  findStoredData,
  ignoreProgress,
} from '../support/recovery.ts';
import { createMember, createWorkspaceId } from '../support/workspaces.ts';

const deployment = createDeployment();

describe.skipIf(deployed)('an import', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const dir = join(scratch, 'alice');
  let alice: FullUser;
  let before: Record<string, string>;
  let manifest: Manifest;

  const runImport = (wish: { user?: string; existing?: ExistingPolicy; to?: Deployment; of?: Manifest } = {}) => {
    const { user = alice.user, existing = 'refuse', to = deployment, of = manifest } = wish;
    return importUser(to, dir, of, { user, existing }, ignoreProgress);
  };

  beforeAll(async () => {
    alice = await createFullUser({ sessions: 20, long: 2 });
    before = await findStoredData(alice.owner);
    manifest = await exportWholeUser(deployment, dir, alice.user);
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('rejects an incomplete export', async () => {
    await expect(runImport({ of: { ...manifest, completed_at: null } })).rejects.toThrow('is not complete');
  });

  it('rejects a changed or missing file before it writes anything', async () => {
    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    const [{ path } = { path: '' }] = manifest.files;
    for (const [file, name] of [
      [toFilePath(dir, path), path],
      [join(dir, 'items.jsonl'), 'items.jsonl'],
    ] as const) {
      const content = readFileSync(file);
      writeFileSync(
        file,
        content.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
      );
      await expect(runImport()).rejects.toThrow(`${name} has changed since the export`);
      writeFileSync(file, content);
    }
    await expect(
      runImport({ of: { ...manifest, files: [{ path: `${path}x`, bytes: 1, sha256: '' }] } }),
    ).rejects.toThrow('is missing');
    expect(await findStoredData(alice.owner)).toEqual({});
    await runImport();
    expect(await findStoredData(alice.owner)).toEqual(before);
  });

  it('writes files before rows, but documents after them, because the service deletes documents without a row', async () => {
    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    const proxy = await startFaultyProxy(inject('dynamoDb'));
    proxy.decide = (operation) => (operation === 'PutItem' ? 'reset' : 'pass');
    await expect(runImport({ to: createDeployment({ dynamoDb: proxy.url }) })).rejects.toThrow();
    proxy.stop();
    const folders = Object.keys(await findStoredData(alice.owner)).map((name) => name.split('/')[0]);
    expect(new Set(folders)).toEqual(new Set(['transcripts', 'passages', 'jobs']));
    await runImport();
    expect(await findStoredData(alice.owner)).toEqual(before);
  });

  it('keeps a delivery that the service makes while it writes, and finishes', async () => {
    const user = await createUser();
    const owner = toUserKey(deployment.issuer, user.sub);
    const delivery: Row = {
      ...toAttributes(toDeliveryKey(owner, NIL, NIL)),
      status: { S: 'pending' },
      expires_at: { N: '4000000000' },
    };
    const put = (Item: Row) => deployment.dynamoDb.send(new PutItemCommand({ TableName: deployment.table, Item }));
    await put(delivery);
    const { body } = await user.post<{ id: string }>('/assistants', minimal);
    const folder = join(scratch, 'with-delivery');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await eraseUserData(deployment, await listUserData(deployment, owner), ignoreProgress);

    const proxy = await startFaultyProxy(inject('dynamoDb'));
    const made = { ...delivery, status: { S: 'delivered' } };
    proxy.decide = async (operation, sent): Promise<Fault> => {
      if (operation === 'PutItem' && sent.includes('DELIVERY#')) await put(made);
      return 'pass';
    };
    const place = createDeployment({ dynamoDb: proxy.url });
    const { rows } = await importUser(place, folder, exported, { user: user.sub, existing: 'refuse' }, ignoreProgress);
    proxy.stop();
    expect(rows.kept).toBe(1);
    expect((await user.get(`/assistants/${body.id}`)).status).toBe(200);
    expect(Object.values(await findStoredData(owner))).toContain(serializeRow(made));
  });

  it("cannot write another user's data", async () => {
    const items = readFileSync(join(dir, 'items.jsonl'));
    const bob = createOwner();
    const foreign: Row[] = [
      { pk: { S: `USER#${bob.owner}` }, sk: { S: 'ASSISTANT#1' } },
      { pk: { S: 'KEY#a' }, sk: { S: 'KEY' }, hash: { S: 'a' }, owner: { S: bob.owner } },
    ];
    for (const row of foreign) {
      writeFileSync(join(dir, 'items.jsonl'), `${items}${serializeRow(row)}\n`);
      const rows = { count: 1, sha256: await hashItems(dir) };
      await expect(runImport({ of: { ...manifest, rows } })).rejects.toThrow('a row of another user');
    }
    writeFileSync(join(dir, 'items.jsonl'), items);
    const [file = { path: '', bytes: 0, sha256: '' }] = manifest.files;
    const foreignPath = file.path.replace(alice.owner, bob.owner);
    cpSync(toFilePath(dir, file.path), toFilePath(dir, foreignPath), { recursive: true });
    for (const path of [foreignPath, `../${file.path}`])
      await expect(runImport({ of: { ...manifest, files: [{ ...file, path }] } })).rejects.toThrow(
        path === foreignPath ? 'a file of another user' : 'not a file of this service',
      );
    expect(await findStoredData(bob.owner)).toEqual({});
  });

  it.each<[string, { pk: string; prefix: string }, inKey: string, id?: string]>([
    ['a document', toKnowledgeBasesPrefix(''), 'x/y'],
    ['a document', toKnowledgeBasesPrefix(''), `${NIL}#000001`],
    ['an assistant', toAssistantsPrefix(''), 'a'.repeat(300)],
    ['an assistant', toAssistantsPrefix(''), NIL.replaceAll('0', 'A')],
    ['an assistant', toAssistantsPrefix(''), NIL, 'a'.repeat(300)],
    ['a version', toVersionsPrefix(''), NIL],
    ['a version', toVersionsPrefix(''), `${NIL}#x`],
    ['a session', { ...toSessionKey('', ''), prefix: '' }, `${NIL}\n`],
    ['a session', { ...toSessionKey('', ''), prefix: '' }, `X#${NIL}`],
  ])('rejects %s with ids that the service would not give: %#', async (_, { pk, prefix }, inKey, id = NIL) => {
    const items = readFileSync(join(dir, 'items.jsonl'));
    const row: Row = { pk: { S: pk.replace('##', `#${alice.owner}#`) }, sk: { S: `${prefix}${inKey}` }, id: { S: id } };
    writeFileSync(join(dir, 'items.jsonl'), `${items}${serializeRow(row)}\n`);
    const rows = { count: 1, sha256: await hashItems(dir) };
    await expect(runImport({ of: { ...manifest, rows } })).rejects.toThrow('a row whose id is not one of this service');
    writeFileSync(join(dir, 'items.jsonl'), items);
  });

  it("cannot name another user's files, nor take another user's keys for its own", async () => {
    const items = readFileSync(join(dir, 'items.jsonl'), 'utf8');
    const bob = createOwner();
    const [, passages = ''] = /"passages":({"S":"[^"]+"})/.exec(items) ?? [];
    for (const [named, other] of [
      [`passages/${alice.owner}/`, `passages/${bob.owner}/`],
      [`transcripts/${alice.owner}/`, `transcripts/${bob.owner}/`],
      [passages, `{"L":[${passages}]}`],
    ] as const) {
      const foreign = items.replace(named, other);
      expect(foreign).not.toBe(items);
      writeFileSync(join(dir, 'items.jsonl'), foreign);
      const rows = { count: manifest.rows?.count ?? 0, sha256: await hashItems(dir) };
      await expect(runImport({ of: { ...manifest, rows } })).rejects.toThrow('a row with a file of another user');
    }
    writeFileSync(join(dir, 'items.jsonl'), items);
    await expect(runImport({ user: bob.user, of: { ...manifest, owner: bob.owner } })).rejects.toThrow(
      'its owner is not its user',
    );
    expect(await findStoredData(bob.owner)).toEqual({});
  });

  it('rejects, keeps or replaces changed data, depending on `existing`', async () => {
    const [{ id: edited = '' } = {}, { id: deleted = '' } = {}] = (
      await alice.client.get<{ id: string }[]>('/assistants')
    ).body;
    await alice.client.put(`/assistants/${edited}`, { name: 'Edited' });
    await alice.client.delete(`/assistants/${deleted}`);
    const { body } = await alice.client.get<{ data: { sessions: { session_id: string }[] } }>('/logs/chat-sessions');
    await alice.client.delete(`/logs/chat-logs/${body.data.sessions[0]?.session_id}`);
    const changed = await findStoredData(alice.owner);
    await expect(runImport()).rejects.toThrow(`ASSISTANT#${edited}`);
    expect(await findStoredData(alice.owner)).toEqual(changed);

    await runImport({ existing: 'keep' });
    expect((await alice.client.get<{ name: string }>(`/assistants/${edited}`)).body.name).toBe('Edited');
    expect((await alice.client.get(`/assistants/${deleted}`)).status).toBe(200);
    expect((await alice.client.get<{ data: { total: number } }>('/chat')).body.data.total).toBe(20);

    await runImport({ existing: 'replace' });
    const after = await findStoredData(alice.owner);
    // The tombstone of the deletion stays for a day.
    const isNew = (name: string) => !(name in before) && !name.includes('#EVENTS ');
    expect(Object.keys(after).filter(isNew)).toEqual([expect.stringContaining(` DELETED#${deleted}`)]);
    expect(after).toMatchObject(before);
  });

  it('counts versions again, keeps those of an assistant that is back, and names the new user', async () => {
    const user = await createUser();
    const owner = toUserKey(deployment.issuer, user.sub);
    const publish = async (id: string, name: string) => {
      await user.put(`/assistants/${id}`, { name });
      return (await user.post<{ data: { version: number } }>(`/assistants/${id}/versions`, {})).body.data.version;
    };
    const ids = await Promise.all([createAssistant(user), createAssistant(user)]);
    const [kept = '', lost = ''] = ids.map(({ body }) => body.id);
    for (const id of [kept, lost]) for (const name of ['a', 'b']) await publish(id, name);
    const folder = join(scratch, 'versions');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    const load = (existing: ExistingPolicy, sub = user.sub) =>
      importUser(deployment, folder, exported, { user: sub, existing }, ignoreProgress);
    const expectSound = async () =>
      expect((await verifyUser(deployment, owner, { graceMs: 0, secrets: false })).faults).toEqual([]);

    await publish(kept, 'c');
    await user.delete(`/assistants/${kept}/versions/1`);
    await user.delete(`/assistants/${lost}`);
    await load('keep');
    await expectSound();
    expect(Object.keys(await findStoredData(owner)).filter((key) => key.includes('DELETION#'))).toEqual([]);
    await load('replace');
    await expectSound();
    expect(await publish(kept, 'd')).toBe(4);

    const other = await createUser();
    await load('refuse', other.sub);
    const { body } = await other.get<{ data: object }>(`/assistants/${kept}/versions`);
    expect(body.data).toMatchObject({ live: { changed_by: other.sub }, versions: [{ published_by: other.sub }, {}] });
  });

  it('counts a version that its user publishes meanwhile', async () => {
    const user = await createUser();
    const { id } = (await createAssistant(user)).body;
    const publish = async (name: string) => {
      await user.put(`/assistants/${id}`, { name });
      return (await user.post<{ data: { version: number } }>(`/assistants/${id}/versions`, {})).body.data.version;
    };
    for (const name of ['a', 'b']) await publish(name);
    const folder = join(scratch, 'published-meanwhile');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await user.delete(`/assistants/${id}/versions/1`);
    const to = createDeployment();
    let published: ReturnType<typeof publish> | undefined;
    to.dynamoDb.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'UpdateItemCommand' && JSON.stringify(args.input).includes(`ASSISTANT#${id}`)) {
            published ??= publish('c');
            await published;
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    await importUser(to, folder, exported, { user: user.sub, existing: 'keep' }, ignoreProgress);
    expect(await published).toBe(3);
    const { body } = await user.get<{ data: { live: object; versions: object[] } }>(`/assistants/${id}/versions`);
    expect(body.data).toMatchObject({
      live: { versions: [{ version: 3 }] },
      versions: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });
    expect(await publish('d')).toBe(4);
  });

  /** Creates a user with a document that is ready. Returns its row as well. */
  async function createDocument() {
    const user = await createUser();
    const owner = toUserKey(deployment.issuer, user.sub);
    const { id } = await uploadAndWait(user, 'The archive opens at nine.');
    const name = Object.keys(await findStoredData(owner)).find((key) => key.endsWith(` KB#${id}`)) ?? '';
    const row = parseRow((await findStoredData(owner))[name] ?? '');
    const put = (Item: Row) => deployment.dynamoDb.send(new PutItemCommand({ TableName: deployment.table, Item }));
    const search = async () => (await user.post('/search/only', { query: 'archive', knowledge_base_ids: [id] })).text;
    return { user, owner, id, row, put, search };
  }

  it.each<[from: string, fields: Row]>([
    ['the API', {}],
    ['a form, whose digest was unknown', { sha256: { NULL: true } }],
  ])('parses a document of %s again that was processing, also if it is interrupted before', async (from, fields) => {
    const { user, owner, id, row, put, search } = await createDocument();
    const { passages: _, ...pending } = row;
    await put({ ...pending, ...fields, status: { S: 'processing' } });
    const folder = join(scratch, `processing-${from.slice(0, 5)}`);
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await put(row);
    const load = (to: Deployment) =>
      importUser(to, folder, exported, { user: user.sub, existing: 'replace' }, ignoreProgress);

    const proxy = await startFaultyProxy(inject('s3'));
    proxy.decide = (operation) => (operation === 'PUT' ? 'reset' : 'pass');
    await expect(load(createDeployment({ s3: proxy.url }))).rejects.toThrow();
    proxy.stop();
    expect((await load(deployment)).rows.written).toBe(0);
    expect((await waitUntilParsed(user, id)).status).toBe('ready');
    expect(await search()).toContain('The archive opens at nine.');
    expect((await verifyUser(deployment, owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });

  /** Imports an export again. Runs a deletion after the import has listed the files, and before it compares rows. */
  async function importDuring(remove: () => Promise<{ status: number }>, folder: string, exported: Manifest) {
    const to = createDeployment();
    let deletion: ReturnType<typeof remove> | undefined;
    to.dynamoDb.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'BatchGetItemCommand') {
            deletion ??= remove();
            await deletion;
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    await importUser(to, folder, exported, { user: exported.user, existing: 'keep' }, ignoreProgress);
    expect(await deletion).toMatchObject({ status: 200 });
    expect((await verifyUser(deployment, exported.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  }

  it('says that it stopped in the midst if a row is changed meanwhile', async () => {
    const { user, owner, row, put } = await createDocument();
    const folder = join(scratch, 'changed-meanwhile');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await eraseUserData(deployment, await listUserData(deployment, owner), ignoreProgress);
    const to = createDeployment();
    let change: Promise<unknown> | undefined;
    to.dynamoDb.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'PutItemCommand') {
            change ??= put({ ...row, file_name: { S: 'other.txt' } });
            await change;
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    const run = importUser(to, folder, exported, { user: user.sub, existing: 'refuse' }, ignoreProgress);
    await expect(run).rejects.toThrow('1 rows were changed during the import, so not all was written');
  });

  it('writes the files of a document again that its user deletes meanwhile', async () => {
    const { user, id, search } = await createDocument();
    const folder = join(scratch, 'document-meanwhile');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await importDuring(() => user.delete(`/assistants/knowledge-base/${id}`), folder, exported);
    expect(await search()).toContain('The archive opens at nine.');
  });

  it('writes the transcript of a call again that its user deletes meanwhile', async () => {
    const { client, user } = await createFullUser({ sessions: 1, long: 1 });
    const { body } = await client.get<{ data: { sessions: { session_id: string }[] } }>('/logs/chat-sessions');
    const path = `/logs/chat-logs/${body.data.sessions[0]?.session_id}`;
    const { text } = await client.get(path);
    const folder = join(scratch, 'call-meanwhile');
    const exported = await exportWholeUser(deployment, folder, user);
    await importDuring(() => client.delete(path), folder, exported);
    expect((await client.get(path)).text).toBe(text);
  });

  it('completes a deletion whose marker the export lacks', async () => {
    const { user, owner, id, row, put } = await createDocument();
    const { body: assistant } = await createAssistant(user);
    await user.put(`/assistants/${assistant.id}/knowledge-bases/${id}`, undefined);
    await put({ ...row, assistants: { SS: [assistant.id] }, deleting: { BOOL: true } });
    const folder = join(scratch, 'deleting');
    const exported = await exportWholeUser(deployment, folder, user.sub);
    await eraseUserData(deployment, await listUserData(deployment, owner), ignoreProgress);
    await importUser(deployment, folder, exported, { user: user.sub, existing: 'refuse' }, ignoreProgress);
    const isOfDocument = (name: string) => name.includes(id) && !name.includes('#EVENTS ');
    await expect.poll(async () => Object.keys(await findStoredData(owner)).filter(isOfDocument)).toEqual([]);
    expect((await verifyUser(deployment, owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });

  it('moves a person’s things into a workspace, and those of a workspace into another one', async () => {
    const person = await createUser();
    const { body } = await createAssistant(person);
    await person.post(`/assistants/${body.id}/versions`, {});
    await person.post('/webhooks', { url: 'https://hooks.example.com/', events: ['*'] });
    const orgs = [createWorkspaceId(), createWorkspaceId()];
    const [member, other] = await Promise.all(orgs.map((org) => createMember({ org })));
    const [folder, again] = [join(scratch, 'person'), join(scratch, 'workspace')];
    const exported = await exportWholeUser(deployment, folder, person.sub);
    const load = (from: string, of: Manifest, workspace: string | undefined) =>
      importUser(deployment, from, of, { user: null, workspace: workspace ?? '', existing: 'refuse' }, ignoreProgress);
    const { skipped } = await load(folder, exported, orgs[0]);
    expect(skipped).toEqual({ credentials: [], webhooks: ['https://hooks.example.com/'], apiKeys: [], jobs: [] });
    expect((await member?.get<{ data: { webhooks: object[] } }>('/webhooks'))?.body.data.webhooks).toEqual([]);
    const owner = toWorkspaceKey(deployment.issuer, orgs[0] ?? '');
    const ofWorkspace = createManifest(deployment, owner, null, orgs[0]);
    const shared = await exportUser(deployment, again, ofWorkspace, ignoreProgress);
    expect(shared).toMatchObject({ user: null, workspace: orgs[0] });
    await load(again, shared, orgs[1]);
    for (const [i, client] of [member, other].entries()) {
      expect((await client?.get(`/assistants/${body.id}`))?.body).toMatchObject({ id: body.id, user_id: orgs[i] });
      expect((await client?.get(`/assistants/${body.id}/versions`))?.body).toMatchObject({
        data: { live: { changed_by: person.sub }, versions: [{ published_by: person.sub }] },
      });
    }
    expect((await person.get(`/assistants/${body.id}`)).status).toBe(200);
  });

  it('restores deleted data from the export of a restored table', async () => {
    const { table, rows: copied } = await copyTable([alice.owner]);
    const restored = { ...deployment, table };
    const [{ id = '' } = {}] = (await alice.client.get<{ id: string }[]>('/assistants')).body;
    await alice.client.delete(`/assistants/${id}`);

    const copy = join(scratch, 'restored');
    const of = await exportWholeUser(restored, copy, alice.user);
    expect(of.rows?.count).toBe(copied);
    const { rows } = await importUser(deployment, copy, of, { user: alice.user, existing: 'keep' }, ignoreProgress);
    expect(rows.written).toBe(1);
    expect((await alice.client.get(`/assistants/${id}`)).status).toBe(200);
  });

  it('can import for another user, without credentials, API keys and jobs', async () => {
    const bob = await createUser();
    const { skipped } = await runImport({ user: bob.sub });
    expect(skipped.credentials.sort()).toEqual(['openai default', 'openai other']);
    expect(skipped.apiKeys.sort()).toEqual(['Idle', 'Worker']);
    expect(skipped.jobs.length).toBeGreaterThan(0);
    const listAttachments = async (client: typeof bob) =>
      (await client.get<{ id: string; user_id: string; attached_knowledge_bases: object[] }[]>('/assistants')).body.map(
        ({ id, attached_knowledge_bases }) => [id, attached_knowledge_bases],
      );
    expect(await listAttachments(bob)).toEqual(await listAttachments(alice.client));
    for (const path of ['/logs/chat-logs?limit=20', '/chat?limit=5']) {
      const [his, hers] = await Promise.all([bob.get(path), alice.client.get(path)]);
      expect(his.text).toBe(hers.text.replaceAll(alice.user, bob.sub).replaceAll(alice.owner, 'never'));
    }
    expect((await bob.get<{ data: { credentials: object[] } }>('/user-credentials')).text).not.toContain('openai');
    expect((await bob.get('/api-keys')).text).not.toContain('Worker');
    const isOfJob = (name: string) => /jobs/i.test(name);
    expect(Object.keys(before).filter(isOfJob).length).toBeGreaterThan(2);
    expect(Object.keys(await findStoredData(toUserKey(deployment.issuer, bob.sub))).filter(isOfJob)).toEqual([]);
    const search = { query: 'archive' };
    const [[id] = ['']] = (await listAttachments(bob)).filter(([, attached]) => (attached as object[]).length === 2);
    expect((await bob.post(`/assistants/${id}/search`, search)).text).toContain('The archive opens at nine.');
    expect((await createClient(alice.user, await createToken(alice.user)).get('/user-credentials')).text).toContain(
      'openai',
    );
  });

  it('skips and lists credentials if the deployment has another KMS key', async () => {
    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    const { skipped } = await runImport({ to: { ...deployment, key: 'another' } });
    expect(skipped).toEqual({ credentials: ['openai default', 'openai other'], webhooks: [], apiKeys: [], jobs: [] });
    const restored = await findStoredData(alice.owner);
    expect(Object.keys(before).filter((name) => !(name in restored))).toEqual([
      expect.stringContaining('CREDENTIAL#openai#default'),
      expect.stringContaining('CREDENTIAL#openai#other'),
    ]);
  });
});
