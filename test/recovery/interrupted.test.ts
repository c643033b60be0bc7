import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { type Manifest, readManifest } from '../../infra/commands/data/export/export-folder.ts';
import { createManifest, exportUser } from '../../infra/commands/data/export/exporter.ts';
import { importUser } from '../../infra/commands/data/import/importer.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { createClient, deployed } from '../support/api.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { createFullUser, type FullUser } from '../support/full-user.ts';
import { createDeployment, exportWholeUser, findStoredData, ignoreProgress } from '../support/recovery.ts';

/**
 * Creates a deployment that fails all requests after a number of requests of some kinds. Every other time, it carries out the last
 * request and loses the response. A killed command leaves the same state.
 */
async function createBreakable() {
  const [dynamoDb, s3] = await Promise.all([startFaultyProxy(inject('dynamoDb')), startFaultyProxy(inject('s3'))]);
  let left = 0;
  let counts = (_: string) => true;
  for (const proxy of [dynamoDb, s3])
    proxy.decide = (operation) => {
      if (!counts(operation) || left-- > 0) return 'pass';
      return left % 2 === 0 ? 'lose' : 'reset';
    };
  return {
    deployment: createDeployment({ dynamoDb: dynamoDb.url, s3: s3.url }),
    /** Retries a command until it completes. Returns the number of failures. */
    async runUntilComplete(
      requests: number,
      counting: (operation: string) => boolean,
      command: () => Promise<unknown>,
    ) {
      counts = counting;
      for (let broke = 0; ; broke++) {
        left = requests;
        try {
          await command();
          return broke;
        } catch (error) {
          if (left >= 0 || broke > 60) throw error;
        }
      }
    },
    stop: () => {
      for (const proxy of [dynamoDb, s3]) proxy.stop();
    },
  };
}

describe.skipIf(deployed)('a command that is killed repeatedly', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const dir = join(scratch, 'broken');
  let alice: FullUser;
  let before: Record<string, string>;
  let broken: Awaited<ReturnType<typeof createBreakable>>;
  let deployment: Deployment;
  let manifest: Manifest;

  beforeAll(async () => {
    [alice, broken] = await Promise.all([createFullUser({ sessions: 200, long: 12 }), createBreakable()]);
    deployment = broken.deployment;
    before = await findStoredData(alice.owner);
  });
  afterAll(() => {
    broken.stop();
    rmSync(scratch, { recursive: true });
  });

  it('exports the same data as an uninterrupted one', async () => {
    const run = async () => {
      const found = await readManifest(dir);
      manifest = await exportUser(
        deployment,
        dir,
        found ?? createManifest(deployment, alice.owner, alice.user),
        ignoreProgress,
      );
    };
    const reading = (operation: string) => ['Query', 'BatchGetItem', 'GET'].includes(operation);
    expect(await broken.runUntilComplete(9, reading, run)).toBeGreaterThan(1);
    const whole = join(scratch, 'whole');
    const { completed_at: _, ...unbroken } = await exportWholeUser(createDeployment(), whole, alice.user);
    expect(manifest).toMatchObject(unbroken);
    expect(readFileSync(join(dir, 'items.jsonl'), 'utf8')).toBe(readFileSync(join(whole, 'items.jsonl'), 'utf8'));
  });

  it('forgets everything, starting with access', async () => {
    const deleting = (operation: string) => ['BatchWriteItem', 'POST'].includes(operation);
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 2) {
        const { apiKeys, rows } = await listUserData(createDeployment(), alice.owner);
        expect([apiKeys, rows.length > 0]).toEqual([[], true]);
      }
      await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    };
    expect(await broken.runUntilComplete(6, deleting, run)).toBeGreaterThan(1);
    expect(await findStoredData(alice.owner)).toEqual({});
  });

  it('imports everything once, and keeps the counts of sessions correct at every step', async () => {
    const writing = (operation: string) => ['PutItem', 'TransactWriteItems', 'PUT'].includes(operation);
    const heads = /^USER#\S+#SESSIONS /;
    const run = async () => {
      const now = Object.entries(await findStoredData(alice.owner));
      const counted = now
        .filter(([name]) => name.includes(' COUNTS#'))
        .reduce((sum, [, line]) => sum + Number(JSON.parse(line).Item.sessions.N), 0);
      expect(counted).toBe(now.filter(([name]) => heads.test(name)).length);
      await importUser(deployment, dir, manifest, { user: alice.user, existing: 'refuse' }, ignoreProgress);
    };
    expect(await broken.runUntilComplete(60, writing, run)).toBeGreaterThan(3);
    expect(await findStoredData(alice.owner)).toEqual(before);
    expect((await createClient(alice.user, alice.apiKey).get('/protected')).status).toBe(200);
    expect((await verifyUser(createDeployment(), alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });
});
