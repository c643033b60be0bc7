import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { erase, tracesOf } from '../../infra/data/eraser.ts';
import { begun, exportUser } from '../../infra/data/exporter.ts';
import { type Manifest, readManifest } from '../../infra/data/folder.ts';
import { importUser } from '../../infra/data/importer.ts';
import type { Place } from '../../infra/data/place.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import { clientWith, deployed } from '../support/api.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { type FullUser, fullUser } from '../support/full-user.ts';
import { everythingOf, exported, placeAt, silent } from '../support/recovery.ts';

/**
 * Everything goes wrong after so many requests of some kinds, half the time so that the last one is carried out and its answer
 * lost: what a run that is killed leaves behind.
 */
async function breakable() {
  const [dynamoDb, s3] = await Promise.all([faultyProxy(inject('dynamoDb')), faultyProxy(inject('s3'))]);
  let left = 0;
  let counts = (_: string) => true;
  for (const proxy of [dynamoDb, s3])
    proxy.decide = (operation) => {
      if (!counts(operation) || left-- > 0) return 'pass';
      return left % 2 === 0 ? 'lose' : 'reset';
    };
  return {
    place: placeAt({ dynamoDb: dynamoDb.url, s3: s3.url }),
    /** Runs a command until it ends, and gives how often it broke before. */
    async untilItEnds(requests: number, counting: (operation: string) => boolean, command: () => Promise<unknown>) {
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

describe.skipIf(deployed)('a run that is killed, again and again', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const dir = join(scratch, 'broken');
  let alice: FullUser;
  let before: Record<string, string>;
  let broken: Awaited<ReturnType<typeof breakable>>;
  let place: Place;
  let manifest: Manifest;

  beforeAll(async () => {
    [alice, broken] = await Promise.all([fullUser({ sessions: 200, long: 12 }), breakable()]);
    place = broken.place;
    before = await everythingOf(alice.owner);
  });
  afterAll(() => {
    broken.stop();
    rmSync(scratch, { recursive: true });
  });

  it('exports the same as one that is not', async () => {
    const run = async () => {
      const found = await readManifest(dir);
      manifest = await exportUser(place, dir, found ?? begun(place, alice.owner, alice.user), silent);
    };
    const reading = (operation: string) => ['Query', 'BatchGetItem', 'GET'].includes(operation);
    expect(await broken.untilItEnds(9, reading, run)).toBeGreaterThan(1);
    const whole = join(scratch, 'whole');
    const { completed_at: _, ...unbroken } = await exported(placeAt(), whole, alice.user);
    expect(manifest).toMatchObject(unbroken);
    expect(readFileSync(join(dir, 'items.jsonl'), 'utf8')).toBe(readFileSync(join(whole, 'items.jsonl'), 'utf8'));
  });

  it('forgets everything, access first', async () => {
    const deleting = (operation: string) => ['BatchWriteItem', 'POST'].includes(operation);
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 2) {
        const { apiKeys, rows } = await tracesOf(placeAt(), alice.owner);
        expect([apiKeys, rows.length > 0]).toEqual([[], true]);
      }
      await erase(place, await tracesOf(place, alice.owner), silent);
    };
    expect(await broken.untilItEnds(6, deleting, run)).toBeGreaterThan(1);
    expect(await everythingOf(alice.owner)).toEqual({});
  });

  it('imports everything once, and the sessions are counted truly all the time', async () => {
    const writing = (operation: string) => ['PutItem', 'TransactWriteItems', 'PUT'].includes(operation);
    const heads = /^USER#\S+#SESSIONS /;
    const run = async () => {
      const now = Object.entries(await everythingOf(alice.owner));
      const counted = now
        .filter(([name]) => name.includes(' COUNTS#'))
        .reduce((sum, [, line]) => sum + Number(JSON.parse(line).Item.sessions.N), 0);
      expect(counted).toBe(now.filter(([name]) => heads.test(name)).length);
      await importUser(place, dir, manifest, { user: alice.user, existing: 'refuse' }, silent);
    };
    expect(await broken.untilItEnds(60, writing, run)).toBeGreaterThan(3);
    expect(await everythingOf(alice.owner)).toEqual(before);
    expect((await clientWith(alice.user, alice.apiKey).get('/protected')).status).toBe(200);
    expect((await lookAt(placeAt(), alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
  });
});
