import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findKind } from '../../infra/commands/data/deployment/kinds.ts';
import { parseRow, type Row, serializeRow, toAttributes, toKey } from '../../infra/commands/data/deployment/row.ts';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { hashItems, readManifest, writeManifest } from '../../infra/commands/data/export/export-folder.ts';
import { importUser } from '../../infra/commands/data/import/importer.ts';
import { moveRows } from '../../infra/commands/data/mover.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { toAssistantsPrefix, toCountKey } from '../../shared/store/table/keys.ts';
import { deployed } from '../support/api.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { createFullUser, type FullUser } from '../support/full-user.ts';
import { createDeployment, exportWholeUser, findStoredData, ignoreProgress } from '../support/recovery.ts';

/** Kinds of rows that earlier releases stored in one partition per user. */
const formerly = ['assistant', 'knowledge base', 'tombstone', 'count', 'credential', 'listed API key'];

describe.skipIf(deployed)('the rows of an earlier release', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'move-'));
  const deployment = createDeployment();
  let alice: FullUser;
  let before: Record<string, string>;

  const put = (Item: Row) => deployment.dynamoDb.send(new PutItemCommand({ TableName: deployment.table, Item }));
  const remove = (row: Row) =>
    deployment.dynamoDb.send(new DeleteItemCommand({ TableName: deployment.table, Key: toAttributes(toKey(row)) }));
  const toFormer = (row: Row): Row =>
    formerly.includes(findKind(alice.owner, row) ?? '') ? { ...row, pk: { S: `USER#${alice.owner}` } } : row;
  const listRows = (all: Record<string, string>) =>
    Object.values(all)
      .filter((line) => line.startsWith('{'))
      .map(parseRow);

  /** Moves the rows of the user to where an earlier release stored them. Returns their number. */
  async function unmove(): Promise<number> {
    const rows = listRows(await findStoredData(alice.owner)).filter((row) => toFormer(row) !== row);
    for (const row of rows) {
      await put(toFormer(row));
      await remove(row);
    }
    return rows.length;
  }

  beforeAll(async () => {
    alice = await createFullUser({ sessions: 8, long: 1 });
    before = await findStoredData(alice.owner);
  });
  beforeEach(async () => {
    expect(await unmove()).toBeGreaterThan(10);
  });
  afterAll(() => {
    deployment.dynamoDb.destroy();
    rmSync(scratch, { recursive: true });
  });

  it('are moved to the partitions of their kinds, and a second run changes nothing', async () => {
    const { faults } = await verifyUser(deployment, alice.owner, { graceMs: 0, secrets: false });
    expect(faults).toContainEqual(
      expect.objectContaining({ rule: 'a row has the key of an earlier release: run npm run move' }),
    );
    expect(await moveRows(deployment, ignoreProgress)).toMatchObject({ left: [] });
    expect(await findStoredData(alice.owner)).toEqual(before);
    expect(await moveRows(deployment, ignoreProgress)).toEqual({ moved: 0, left: [] });
    expect((await verifyUser(deployment, alice.owner, { graceMs: 0, secrets: false })).faults).toEqual([]);
    expect((await alice.client.get<object[]>('/assistants')).body).toHaveLength(2);
  });

  it('are moved exactly once, even if the command is killed repeatedly', async () => {
    const proxy = await startFaultyProxy(inject('dynamoDb'));
    const through = createDeployment({ dynamoDb: proxy.url });
    let left = 0;
    proxy.decide = (operation) => {
      if (operation !== 'TransactWriteItems' || left-- > 0) return 'pass';
      return left % 2 === 0 ? 'lose' : 'reset';
    };
    let failures = 0;
    const tryMove = async (): Promise<boolean> => {
      left = 2 + (failures % 2);
      return moveRows(through, ignoreProgress).then(
        () => true,
        () => false,
      );
    };
    while (!(await tryMove())) {
      failures += 1;
      expect(failures).toBeLessThan(60);
    }
    proxy.stop();
    through.dynamoDb.destroy();
    expect(failures).toBeGreaterThan(1);
    expect(await findStoredData(alice.owner)).toEqual(before);
  });

  it('add to newer counts, and never replace newer rows', async () => {
    const [count] = listRows(before).filter((row) => findKind(alice.owner, row) === 'count');
    const since = { ...count, ...toAttributes(toCountKey(alice.owner, uuidv7())), sk: count?.sk ?? { S: '' } };
    await put({ ...since, sessions: { N: '5' } });
    const [assistant] = listRows(before).filter((row) => findKind(alice.owner, row) === 'assistant');
    const newer: Row = { ...assistant, name: { S: 'Newer' } };
    await put(newer);
    const name = Object.values(toKey(toFormer(newer))).join(' ');
    expect((await moveRows(deployment, ignoreProgress)).left).toEqual([name]);
    const after = await findStoredData(alice.owner);
    expect(listRows(after)).toContainEqual({ ...since, sessions: { N: String(Number(count?.sessions?.N) + 5) } });
    expect(after[`${toAssistantsPrefix(alice.owner).pk} ${newer.sk?.S}`]).toBe(serializeRow(newer));
    expect(after[name]).toBe(serializeRow(toFormer(assistant ?? {})));
    await remove(toFormer(newer));
    await put(assistant ?? {});
    await put(count ?? {});
  });

  it('are exported under their new keys, moved or not', async () => {
    await exportWholeUser(deployment, join(scratch, 'unmoved'), alice.user);
    await moveRows(deployment, ignoreProgress);
    await exportWholeUser(deployment, join(scratch, 'moved'), alice.user);
    const readLines = (name: string) =>
      readFileSync(join(scratch, name, 'items.jsonl'), 'utf8')
        .split('\n')
        .toSorted();
    expect(readLines('unmoved')).toEqual(readLines('moved'));
  });

  it('are forgotten with all others, and imported under their new keys from an export of that release', async () => {
    const dir = join(scratch, 'old');
    const manifest = await exportWholeUser(deployment, dir, alice.user);
    const old = listRows(before).map((row) => `${serializeRow(toFormer(row))}\n`);
    writeFileSync(join(dir, 'items.jsonl'), old.join(''));
    const of = { ...manifest, format: 1 as const, rows: { count: old.length, sha256: await hashItems(dir) } };
    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    expect(await findStoredData(alice.owner)).toEqual({});
    await importUser(deployment, dir, of, { user: alice.user, existing: 'refuse' }, ignoreProgress);
    expect(await findStoredData(alice.owner)).toEqual(before);
  });

  it('cannot complete an export that an earlier release began', async () => {
    const dir = join(scratch, 'begun');
    const manifest = await exportWholeUser(deployment, dir, alice.user);
    await writeManifest(dir, { ...manifest, format: 1, completed_at: null });
    await expect(readManifest(dir)).rejects.toThrow('An earlier release began the export');
  });
});
