import type { Key } from './table/keys.ts';
import { query } from './table/table.ts';

/**
 * Name of the sparse index of rows that wait for a time. A row is in it as long as it has both attributes of `toDue`.
 * `sweep` acts on them when their time has come (functions/sweep.ts).
 */
const index = 'by-due';

/** Partitions of the index. Several, because all users' rows share them. */
const partitions = ['0', '1', '2', '3'];

/** Returns the attributes of a row that waits for a time, RFC 3339. The id of its thing selects the partition. */
export const toDue = (id: string, time: string) => ({
  [index]: partitions[Number.parseInt(id.slice(-1), 16) % partitions.length],
  due: time,
});

/** Clause of an update expression, with its names, that ends the waiting of a row. */
export const clearDue = { clause: 'REMOVE #byDue, due', names: { '#byDue': index } };

/**
 * Lists the keys of the rows whose time has come, the earliest first in each partition. The index is eventually
 * consistent. One round trip per partition, and one more per megabyte.
 */
export async function* listDue(now: Date): AsyncGenerator<Key> {
  for (const value of partitions) {
    const range: [string, string] = ['0', now.toISOString()]; // DynamoDB rejects an empty key
    for await (const { pk, sk } of query({ index: { name: index, value, sortKey: 'due' }, range, ascending: true }))
      yield { pk: String(pk), sk: String(sk) };
  }
}
