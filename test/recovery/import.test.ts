import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { erase, tracesOf } from '../../infra/data/eraser.ts';
import type { Existing } from '../../infra/data/existing.ts';
import { digestOfItems, fileIn, type Manifest } from '../../infra/data/folder.ts';
import { importUser } from '../../infra/data/importer.ts';
import type { Place } from '../../infra/data/place.ts';
import { lineOf, type Row } from '../../infra/data/row.ts';
import { clientWith, deployed, newUser, tokenFor } from '../support/api.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { type FullUser, fullUser } from '../support/full-user.ts';
import { copyTable, everythingOf, exported, placeAt, silent, somebody } from '../support/recovery.ts';

const place = placeAt();

describe.skipIf(deployed)('an import', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const dir = join(scratch, 'alice');
  let alice: FullUser;
  let before: Record<string, string>;
  let manifest: Manifest;

  const imported = (wish: { user?: string; existing?: Existing; to?: Place; of?: Manifest } = {}) => {
    const { user = alice.user, existing = 'refuse', to = place, of = manifest } = wish;
    return importUser(to, dir, of, { user, existing }, silent);
  };

  beforeAll(async () => {
    alice = await fullUser({ sessions: 20, long: 2 });
    before = await everythingOf(alice.owner);
    manifest = await exported(place, dir, alice.user);
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('is refused where the export has not ended', async () => {
    await expect(imported({ of: { ...manifest, completed_at: null } })).rejects.toThrow('has not ended');
  });

  it('is refused where a file is not as it was exported, or gone, and nothing is written', async () => {
    await erase(place, await tracesOf(place, alice.owner), silent);
    const [{ path } = { path: '' }] = manifest.files;
    for (const [file, name] of [
      [fileIn(dir, path), path],
      [join(dir, 'items.jsonl'), 'items.jsonl'],
    ] as const) {
      const content = readFileSync(file);
      writeFileSync(
        file,
        content.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
      );
      await expect(imported()).rejects.toThrow(`${name} is not as it was exported`);
      writeFileSync(file, content);
    }
    await expect(
      imported({ of: { ...manifest, files: [{ path: `${path}x`, bytes: 1, sha256: '' }] } }),
    ).rejects.toThrow('is missing');
    expect(await everythingOf(alice.owner)).toEqual({});
    await imported();
    expect(await everythingOf(alice.owner)).toEqual(before);
  });

  it('writes files before rows, but for documents: the service would delete what has no record', async () => {
    await erase(place, await tracesOf(place, alice.owner), silent);
    const proxy = await faultyProxy(inject('dynamoDb'));
    proxy.decide = (operation) => (operation === 'PutItem' ? 'reset' : 'pass');
    await expect(imported({ to: placeAt({ dynamoDb: proxy.url }) })).rejects.toThrow();
    proxy.stop();
    const folders = Object.keys(await everythingOf(alice.owner)).map((name) => name.split('/')[0]);
    expect(new Set(folders)).toEqual(new Set(['transcripts', 'passages']));
    await imported();
    expect(await everythingOf(alice.owner)).toEqual(before);
  });

  it("cannot reach into another user's data", async () => {
    const items = readFileSync(join(dir, 'items.jsonl'));
    const bob = somebody();
    const foreign: Row[] = [
      { pk: { S: `USER#${bob.owner}` }, sk: { S: 'ASSISTANT#1' } },
      { pk: { S: 'KEY#a' }, sk: { S: 'KEY' }, hash: { S: 'a' }, owner: { S: bob.owner } },
    ];
    for (const row of foreign) {
      writeFileSync(join(dir, 'items.jsonl'), `${items}${lineOf(row)}\n`);
      const rows = { count: 1, sha256: await digestOfItems(dir) };
      await expect(imported({ of: { ...manifest, rows } })).rejects.toThrow('a row of somebody else');
    }
    writeFileSync(join(dir, 'items.jsonl'), items);
    const [file = { path: '', bytes: 0, sha256: '' }] = manifest.files;
    const his = file.path.replace(alice.owner, bob.owner);
    cpSync(fileIn(dir, file.path), fileIn(dir, his), { recursive: true });
    for (const path of [his, `../${file.path}`])
      await expect(imported({ of: { ...manifest, files: [{ ...file, path }] } })).rejects.toThrow(
        path === his ? 'a file of somebody else' : 'no name of a file',
      );
    expect(await everythingOf(bob.owner)).toEqual({});
  });

  it('refuses to go over what has changed, keeps it, or replaces it, as it is told', async () => {
    const [{ id: edited = '' } = {}, { id: deleted = '' } = {}] = (
      await alice.client.get<{ id: string }[]>('/assistants')
    ).body;
    await alice.client.put(`/assistants/${edited}`, { name: 'Edited' });
    await alice.client.delete(`/assistants/${deleted}`);
    const { body } = await alice.client.get<{ data: { sessions: { session_id: string }[] } }>('/logs/chat-sessions');
    await alice.client.delete(`/logs/chat-logs/${body.data.sessions[0]?.session_id}`);
    const changed = await everythingOf(alice.owner);
    await expect(imported()).rejects.toThrow(`ASSISTANT#${edited}`);
    expect(await everythingOf(alice.owner)).toEqual(changed);

    await imported({ existing: 'keep' });
    expect((await alice.client.get<{ name: string }>(`/assistants/${edited}`)).body.name).toBe('Edited');
    expect((await alice.client.get(`/assistants/${deleted}`)).status).toBe(200);
    expect((await alice.client.get<{ data: { total: number } }>('/chat')).body.data.total).toBe(20);

    await imported({ existing: 'replace' });
    const after = await everythingOf(alice.owner);
    // The deletion's tombstone stays for its day.
    expect(Object.keys(after).filter((name) => !(name in before))).toEqual([
      expect.stringContaining(` DELETED#${deleted}`),
    ]);
    expect(after).toMatchObject(before);
  });

  it('brings back what was deleted, out of a table that was restored beside the other', async () => {
    const { table, rows: copied } = await copyTable([alice.owner]);
    const restored = { ...place, table };
    const [{ id = '' } = {}] = (await alice.client.get<{ id: string }[]>('/assistants')).body;
    await alice.client.delete(`/assistants/${id}`);

    const copy = join(scratch, 'restored');
    const of = await exported(restored, copy, alice.user);
    expect(of.rows?.count).toBe(copied);
    const { rows } = await importUser(place, copy, of, { user: alice.user, existing: 'keep' }, silent);
    expect(rows.written).toBe(1);
    expect((await alice.client.get(`/assistants/${id}`)).status).toBe(200);
  });

  it('gives the data to another user, without what only the first one may use', async () => {
    const bob = await newUser();
    const { left } = await imported({ user: bob.sub });
    expect(left.credentials.sort()).toEqual(['openai default', 'openai other']);
    expect(left.apiKeys.sort()).toEqual(['Idle', 'Worker']);
    const names = async (client: typeof bob) =>
      (await client.get<{ id: string; user_id: string; attached_knowledge_bases: object[] }[]>('/assistants')).body.map(
        ({ id, attached_knowledge_bases }) => [id, attached_knowledge_bases],
      );
    expect(await names(bob)).toEqual(await names(alice.client));
    for (const path of ['/logs/chat-logs?limit=20', '/chat?limit=5']) {
      const [his, hers] = await Promise.all([bob.get(path), alice.client.get(path)]);
      expect(his.text).toBe(hers.text.replaceAll(alice.user, bob.sub).replaceAll(alice.owner, 'never'));
    }
    expect((await bob.get<{ data: { credentials: object[] } }>('/user-credentials')).text).not.toContain('openai');
    expect((await bob.get('/api-keys')).text).not.toContain('Worker');
    const search = { query: 'archive' };
    const [[id] = ['']] = (await names(bob)).filter(([, attached]) => (attached as object[]).length === 2);
    expect((await bob.post(`/assistants/${id}/search`, search)).text).toContain('The archive opens at nine.');
    expect((await clientWith(alice.user, await tokenFor(alice.user)).get('/user-credentials')).text).toContain(
      'openai',
    );
  });

  it('leaves credentials out where another key encrypts, and says which', async () => {
    await erase(place, await tracesOf(place, alice.owner), silent);
    const { left } = await imported({ to: { ...place, key: 'another' } });
    expect(left).toEqual({ credentials: ['openai default', 'openai other'], apiKeys: [] });
    const restored = await everythingOf(alice.owner);
    expect(Object.keys(before).filter((name) => !(name in restored))).toEqual([
      expect.stringContaining('CREDENTIAL#openai#default'),
      expect.stringContaining('CREDENTIAL#openai#other'),
    ]);
  });
});
