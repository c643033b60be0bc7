import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { erase, tracesOf } from '../../infra/data/eraser.ts';
import { exportUser } from '../../infra/data/exporter.ts';
import { importUser } from '../../infra/data/importer.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import { clientWith, deployed } from '../support/api.ts';
import { type FullUser, fullUser } from '../support/full-user.ts';
import { everythingOf, exported, placeAt, silent } from '../support/recovery.ts';
import { sampleSize } from '../support/sample.ts';

const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const place = placeAt();

/** What a user is answered, by a token and by an API key. */
async function answersOf({ client, user, apiKey }: FullUser): Promise<unknown> {
  const { body: assistants } = await client.get<{ id: string }[]>('/assistants');
  const { body: sessions } = await client.get<{ data: { sessions: { session_id: string }[] } }>(
    '/logs/chat-sessions?limit=1000',
  );
  const [first = { id: '' }] = assistants;
  const worker = clientWith(user, apiKey);
  const replies = [
    client.get(`/assistants/${first.id}`),
    client.get('/assistants/knowledge-base'),
    client.get('/user-credentials'),
    client.get('/chat?limit=20'),
    client.get('/logs/chat-logs?limit=5'),
    client.post(`/assistants/${assistants.at(-1)?.id}/search`, { query: 'archive' }),
    worker.get('/protected'),
    worker.get(`/assistants/${first.id}/runtime-config`),
  ];
  const told = (await Promise.all(replies)).map(({ status, text }) => [status, text]);
  // The worker's lease begins with its reading.
  const [status, text = ''] = (told.pop() ?? []) as [number, string];
  return { assistants, sessions, told, runtime: [status, text.replace(/"expires_at":"[^"]+"}}$/, '')] };
}

describe.skipIf(deployed)('a user with a thousand sessions, or some of them, and twenty files', () => {
  it('is exported, forgotten and imported, and everything is as it was; nobody else notices', async () => {
    const [alice, bob] = [
      await fullUser({ sessions: sampleSize(1_000), long: 16 }),
      await fullUser({ sessions: 3, long: 1 }),
    ];
    await answersOf(alice); // notes the use of the API key
    const [before, answers, others] = [
      await everythingOf(alice.owner),
      await answersOf(alice),
      await everythingOf(bob.owner),
    ];
    const files = Object.keys(before).filter((name) => !/^(USER|KEY)#/.test(name));
    expect(files).toHaveLength(20);

    const dir = join(scratch, 'alice');
    const manifest = await exported(place, dir, alice.user);
    expect(manifest.rows?.count).toBe(Object.keys(before).length - files.length);
    expect(manifest.files.map(({ path }) => path).sort()).toEqual(files.sort());
    expect(manifest.missing).toEqual([]);
    expect(await exportUser(place, dir, manifest, silent)).toEqual(manifest);
    for (const file of ['', 'manifest.json', 'items.jsonl', 'files', `files/${files[0]}`])
      expect(statSync(join(dir, file)).mode & 0o077, file).toBe(0);
    expect(await everythingOf(alice.owner)).toEqual(before);

    await erase(place, await tracesOf(place, alice.owner), silent);
    expect(await everythingOf(alice.owner)).toEqual({});
    expect(await tracesOf(place, alice.owner)).toEqual({ apiKeys: [], rows: [], versions: [] });

    const imported = () => importUser(place, dir, manifest, { user: alice.user, existing: 'refuse' }, silent);
    const { rows } = await imported();
    expect(rows.same + rows.kept).toBe(0);
    expect(await everythingOf(alice.owner)).toEqual(before);
    expect(await answersOf(alice)).toEqual(answers);
    expect(await imported()).toMatchObject({
      rows: { written: 0, same: rows.written },
      files: { written: 0, same: 20 },
    });
    expect(await everythingOf(alice.owner)).toEqual(before);
    expect(await everythingOf(bob.owner)).toEqual(others);
    expect((await lookAt(place, alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });
});
