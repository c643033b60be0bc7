import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { erase, tracesOf } from '../../infra/data/eraser.ts';
import { digestOfItems, readManifest, writeManifest } from '../../infra/data/folder.ts';
import { importUser } from '../../infra/data/importer.ts';
import { kindOf } from '../../infra/data/kinds.ts';
import { moveRows } from '../../infra/data/mover.ts';
import { attributesOf, keyOf, lineOf, type Row, rowOf } from '../../infra/data/row.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import { assistantsOf, countKey } from '../../shared/store/keys.ts';
import { deployed } from '../support/api.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { type FullUser, fullUser } from '../support/full-user.ts';
import { everythingOf, exported, placeAt, silent } from '../support/recovery.ts';

/** Kinds that earlier releases kept in one partition of each user. */
const formerly = ['assistant', 'knowledge base', 'tombstone', 'count', 'credential', 'listed API key'];

describe.skipIf(deployed)('the rows of an earlier release', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'move-'));
  const place = placeAt();
  let alice: FullUser;
  let before: Record<string, string>;

  const put = (Item: Row) => place.dynamoDb.send(new PutItemCommand({ TableName: place.table, Item }));
  const remove = (row: Row) =>
    place.dynamoDb.send(new DeleteItemCommand({ TableName: place.table, Key: attributesOf(keyOf(row)) }));
  const former = (row: Row): Row =>
    formerly.includes(kindOf(alice.owner, row) ?? '') ? { ...row, pk: { S: `USER#${alice.owner}` } } : row;
  const rowsIn = (all: Record<string, string>) =>
    Object.values(all)
      .filter((line) => line.startsWith('{'))
      .map(rowOf);

  /** Puts the rows of the user where an earlier release kept them. Returns how many that are. */
  async function unmove(): Promise<number> {
    const rows = rowsIn(await everythingOf(alice.owner)).filter((row) => former(row) !== row);
    for (const row of rows) {
      await put(former(row));
      await remove(row);
    }
    return rows.length;
  }

  beforeAll(async () => {
    alice = await fullUser({ sessions: 8, long: 1 });
    before = await everythingOf(alice.owner);
  });
  beforeEach(async () => {
    expect(await unmove()).toBeGreaterThan(10);
  });
  afterAll(() => {
    place.dynamoDb.destroy();
    rmSync(scratch, { recursive: true });
  });

  it('are moved to the partitions of their kinds, and once more changes nothing', async () => {
    const { faults } = await lookAt(place, alice.owner, { graceMs: 0, secrets: false });
    expect(faults).toContainEqual(
      expect.objectContaining({ rule: 'a row lies where an earlier release kept it: run npm run move' }),
    );
    expect(await moveRows(place, silent)).toMatchObject({ left: [] });
    expect(await everythingOf(alice.owner)).toEqual(before);
    expect(await moveRows(place, silent)).toEqual({ moved: 0, left: [] });
    expect((await lookAt(place, alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
    expect((await alice.client.get<object[]>('/assistants')).body).toHaveLength(2);
  });

  it('are moved once, however often the command is killed', async () => {
    const proxy = await faultyProxy(inject('dynamoDb'));
    const through = placeAt({ dynamoDb: proxy.url });
    let left = 0;
    proxy.decide = (operation) => {
      if (operation !== 'TransactWriteItems' || left-- > 0) return 'pass';
      return left % 2 === 0 ? 'lose' : 'reset';
    };
    let broke = 0;
    const moves = async (): Promise<boolean> => {
      left = 2 + (broke % 2);
      return moveRows(through, silent).then(
        () => true,
        () => false,
      );
    };
    while (!(await moves())) {
      broke += 1;
      expect(broke).toBeLessThan(60);
    }
    proxy.stop();
    through.dynamoDb.destroy();
    expect(broke).toBeGreaterThan(1);
    expect(await everythingOf(alice.owner)).toEqual(before);
  });

  it('add up with what was counted since, and never replace what was written since', async () => {
    const [count] = rowsIn(before).filter((row) => kindOf(alice.owner, row) === 'count');
    const since = { ...count, ...attributesOf(countKey(alice.owner, 0)), sk: count?.sk ?? { S: '' } };
    await put({ ...since, sessions: { N: '5' } });
    const [assistant] = rowsIn(before).filter((row) => kindOf(alice.owner, row) === 'assistant');
    const newer: Row = { ...assistant, name: { S: 'Newer' } };
    await put(newer);
    const name = Object.values(keyOf(former(newer))).join(' ');
    expect((await moveRows(place, silent)).left).toEqual([name]);
    const after = await everythingOf(alice.owner);
    expect(rowsIn(after)).toContainEqual({ ...since, sessions: { N: String(Number(count?.sessions?.N) + 5) } });
    expect(after[`${assistantsOf(alice.owner).pk} ${newer.sk?.S}`]).toBe(lineOf(newer));
    expect(after[name]).toBe(lineOf(former(assistant ?? {})));
    await remove(former(newer));
    await put(assistant ?? {});
    await put(count ?? {});
  });

  it('are exported under their new keys, whether they were moved or not', async () => {
    await exported(place, join(scratch, 'unmoved'), alice.user);
    await moveRows(place, silent);
    await exported(place, join(scratch, 'moved'), alice.user);
    const lines = (name: string) =>
      readFileSync(join(scratch, name, 'items.jsonl'), 'utf8')
        .split('\n')
        .toSorted();
    expect(lines('unmoved')).toEqual(lines('moved'));
  });

  it('are forgotten with all others, and imported from an export of that release under their new keys', async () => {
    const dir = join(scratch, 'old');
    const manifest = await exported(place, dir, alice.user);
    const old = rowsIn(before).map((row) => `${lineOf(former(row))}\n`);
    writeFileSync(join(dir, 'items.jsonl'), old.join(''));
    const of = { ...manifest, format: 1 as const, rows: { count: old.length, sha256: await digestOfItems(dir) } };
    await erase(place, await tracesOf(place, alice.owner), silent);
    expect(await everythingOf(alice.owner)).toEqual({});
    await importUser(place, dir, of, { user: alice.user, existing: 'refuse' }, silent);
    expect(await everythingOf(alice.owner)).toEqual(before);
  });

  it('are not taken for the rest of an export that an earlier release began', async () => {
    const dir = join(scratch, 'begun');
    const manifest = await exported(place, dir, alice.user);
    await writeManifest(dir, { ...manifest, format: 1, completed_at: null });
    await expect(readManifest(dir)).rejects.toThrow('An earlier release began the export');
  });
});
