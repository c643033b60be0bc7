import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { exportUser } from '../../infra/commands/data/export/exporter.ts';
import { importUser } from '../../infra/commands/data/import/importer.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { createClient, deployed } from '../support/api.ts';
import { createFullUser, type FullUser } from '../support/full-user.ts';
import { createDeployment, exportWholeUser, findStoredData, ignoreProgress } from '../support/recovery.ts';
import { getSampleSize } from '../support/sample.ts';

const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const deployment = createDeployment();

/** Reads the data of a user through the API, with a token and an API key. */
async function readThroughApi({ client, user, apiKey }: FullUser): Promise<unknown> {
  const { body: assistants } = await client.get<{ id: string }[]>('/assistants');
  const { body: sessions } = await client.get<{ data: { sessions: { session_id: string }[] } }>(
    '/logs/chat-sessions?limit=1000',
  );
  const [first = { id: '' }] = assistants;
  const worker = createClient(user, apiKey);
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
  const answers = (await Promise.all(replies)).map(({ status, text }) => [status, text]);
  // Removes the expiry of the worker's lease, which begins at the time of the request.
  const [status, text = ''] = (answers.pop() ?? []) as [number, string];
  return { assistants, sessions, answers, runtime: [status, text.replace(/"expires_at":"[^"]+"}}$/, '')] };
}

describe.skipIf(deployed)('a user with up to a thousand sessions and two dozen files', () => {
  it('is the same after an export, a deletion and an import, and no other user changes', async () => {
    const [alice, bob] = [
      await createFullUser({ sessions: getSampleSize(1_000), long: 16 }),
      await createFullUser({ sessions: 3, long: 1 }),
    ];
    await readThroughApi(alice); // sets the last use of the API key
    const [answers, before, others] = [
      await readThroughApi(alice),
      await findStoredData(alice.owner),
      await findStoredData(bob.owner),
    ];
    const files = Object.keys(before).filter((name) => !/^(USER|KEY)#/.test(name));
    expect(files).toHaveLength(22);

    const dir = join(scratch, 'alice');
    const manifest = await exportWholeUser(deployment, dir, alice.user);
    expect(manifest.rows?.count).toBe(Object.keys(before).length - files.length);
    expect(manifest.files.map(({ path }) => path).sort()).toEqual(files.sort());
    expect(manifest.missing).toEqual([]);
    expect(await exportUser(deployment, dir, manifest, ignoreProgress)).toEqual(manifest);
    for (const file of ['', 'manifest.json', 'items.jsonl', 'files', `files/${files[0]}`])
      expect(statSync(join(dir, file)).mode & 0o077, file).toBe(0);
    expect(await findStoredData(alice.owner)).toEqual(before);

    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    expect(await findStoredData(alice.owner)).toEqual({});
    expect(await listUserData(deployment, alice.owner)).toEqual({ apiKeys: [], rows: [], versions: [] });

    const runImport = () =>
      importUser(deployment, dir, manifest, { user: alice.user, existing: 'refuse' }, ignoreProgress);
    const { rows } = await runImport();
    expect(rows.same + rows.kept).toBe(0);
    expect(await findStoredData(alice.owner)).toEqual(before);
    expect(await runImport()).toMatchObject({
      rows: { written: 0, same: rows.written },
      files: { written: 0, same: 22 },
    });
    expect(await findStoredData(alice.owner)).toEqual(before);
    expect(await findStoredData(bob.owner)).toEqual(others);
    expect(await readThroughApi(alice)).toEqual(answers);
    expect((await verifyUser(deployment, alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });
});
