import { randomBytes } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBatches } from '../../shared/store/batches.ts';
import type { WaitingRow } from '../../shared/store/due.ts';
import {
  type Key,
  toDeliveryKey,
  toEventKey,
  toKnowledgeBaseKey,
  toVersionsDeletionKey,
} from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { listDue, toDue } = await import('../../shared/store/due.ts');
const { meter } = await import('../../shared/telemetry/meter.ts');
const { client, TableName } = await import('../../shared/store/table/table.ts');

const now = new Date('2026-11-20T12:00:00Z');

/** A time within a minute of now. */
const anyTime = fc
  .integer({ min: -60, max: 60 })
  .map((seconds) => new Date(now.getTime() + seconds * 1_000).toISOString());

const newOwner = () => randomBytes(32).toString('base64url');

/** Builds rows of an owner that wait, in both groups. */
const buildRows = (owner: string, times: readonly string[]) =>
  times.map((time, i) => {
    const id = `${owner.slice(0, 8)}-${i.toString(16)}`;
    return { ...toKnowledgeBaseKey(owner, id), ...toDue(owner, time, i % 2 === 0 ? 'others' : 'deliveries') };
  });

async function insert(rows: readonly object[]): Promise<void> {
  for (const batch of toBatches(rows, 25)) {
    const RequestItems = {
      [TableName]: batch.map((Item) => ({ PutRequest: { Item: Item as Record<string, unknown> } })),
    };
    await client.send(new BatchWriteCommand({ RequestItems }));
  }
}

/** Reads all lists of what is due. */
async function readLists(): Promise<(WaitingRow | undefined)[][]> {
  const read = async (list: AsyncIterable<WaitingRow | undefined>) => {
    const rows: (WaitingRow | undefined)[] = [];
    for await (const row of list) rows.push(row);
    return rows;
  };
  return Promise.all((await listDue(now)).map(read));
}

/** Lists what is due of these owners, each list by itself. */
async function readDue(owners: readonly string[]): Promise<{ owner: string; due: string[] }[]> {
  const lists: { owner: string; due: string[] }[] = [];
  for (const list of await readLists()) {
    const rows = list.filter((row) => row !== undefined);
    const owner = owners.find((one) => rows.some(({ key }) => key.pk.includes(one)));
    if (!owner) continue; // of another test
    expect(rows.every(({ key }) => key.pk.includes(owner))).toBe(true);
    lists.push({ owner, due: rows.map(({ due }) => due) });
  }
  return lists;
}

test('what is due is listed once, each owner by itself and the earliest first, however many rows wait', async () => {
  const anyOwners = fc.array(fc.array(anyTime, { maxLength: 9 }), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(anyOwners, fc.array(anyTime, { minLength: 450, maxLength: 500 }), async (few, many) => {
      const owners = [...few, many].map((times) => ({ owner: newOwner(), times }));
      const rows = owners.flatMap(({ owner, times }) => buildRows(owner, times));
      await insert(rows);
      const lists = await readDue(owners.map(({ owner }) => owner));
      for (const { due } of lists) expect(due).toEqual(due.toSorted());
      for (const { owner, times } of owners) {
        const listed = lists.filter((list) => list.owner === owner);
        expect(listed.length).toBeLessThanOrEqual(2); // one per group
        expect(listed.flatMap(({ due }) => due).toSorted()).toEqual(
          times
            .filter((time) => time <= now.toISOString())
            .map((time) => `${owner}#${time}`)
            .toSorted(),
        );
      }
    }),
    { numRuns: 5 },
  );
});

test('many rows of one owner are not read to find the others', async () => {
  const measureUnits = async () => {
    const before = meter.readUnits;
    await listDue(now);
    return meter.readUnits - before;
  };
  const unitsOfOthers = await measureUnits(); // the rows of the other tests
  const owner = newOwner();
  await insert(
    buildRows(
      owner,
      Array.from({ length: 2_000 }, () => '2026-11-20T11:00:00.000Z'),
    ),
  );
  expect((await measureUnits()) - unitsOfOthers).toBeLessThan(40); // all rows would be 100 units
});

test('rows of earlier releases, whose time has no owner, are due at their time', async () => {
  const owner = newOwner();
  const times = ['2026-11-20T11:30:00.000Z', '2026-11-20T11:59:59.000Z', '2026-11-20T12:00:01.000Z'];
  await insert(buildRows(owner, times).map((row, i) => ({ ...row, due: times[i] })));
  expect((await readDue([owner])).flatMap(({ due }) => due).toSorted()).toEqual(times.slice(0, 2));
});

test('a row that is due is listed by its key only in the partition of its kind: any function could name it otherwise', async () => {
  const owner = newOwner();
  const marker = toVersionsDeletionKey(owner, 'a');
  const keys: Key[] = [
    { pk: toEventKey(owner, '').pk, sk: marker.sk },
    { pk: `USER#${owner}`, sk: marker.sk },
    { pk: marker.pk, sk: toKnowledgeBaseKey(owner, 'a').sk },
    { pk: marker.pk, sk: 'toString#a' },
    marker,
  ];
  await insert(keys.map((key) => ({ ...key, ...toDue(owner, '2026-11-20T11:00:00.000Z') })));
  const [found] = (await readLists()).filter((rows) => rows.some((row) => row?.owner === owner));
  expect(found?.filter((row) => row !== undefined)).toMatchObject([{ key: marker, kind: 'DELETION' }]);
  expect(found).toHaveLength(keys.length);
});

test('deliveries wait for a receiver, whatever rows of other places say that they do', async () => {
  const { listParked } = await import('../../shared/store/webhooks/deliveries.ts');
  const [owner, webhookId] = [newOwner(), newOwner()];
  const parked = { 'by-due': webhookId, due: '1' };
  const { pk } = toEventKey(owner, '');
  const delivery = { ...toDeliveryKey(owner, webhookId, 'event'), event_id: 'event', status: 'pending', ...parked };
  await insert([{ pk, sk: 'a', ...parked, due: '0' }, { pk, sk: 'b', ...parked, due: '0' }, delivery]);
  expect((await listParked(owner, webhookId, 10)).map(({ event_id }) => event_id)).toEqual(['event']);
});

test.each<[string, (owner: string) => Key]>([
  ['of other places', (owner) => ({ pk: toEventKey(owner, '').pk, sk: 'first' })],
  ['of other users', () => toKnowledgeBaseKey(newOwner(), 'a')],
])('rows %s hide no owner and stop no list, whatever they say when they are due', async (_, buildKey) => {
  const owner = newOwner();
  const marker = toVersionsDeletionKey(owner, 'a');
  const { pk } = toEventKey(owner, '');
  const place = toDue(owner, '2026-11-20T11:00:00.000Z');
  const last = Array.from({ length: 101 }, (_, i) => ({ pk, sk: `last ${i}`, ...place, due: '~' }));
  await insert([{ ...buildKey(owner), ...place, due: owner }, ...last, { ...marker, ...place }]);
  const found = (await readLists()).flat().filter((row) => row?.owner === owner);
  expect(found.map((row) => row?.key)).toEqual([marker]);
});
