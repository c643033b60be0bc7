import { takeTurns } from '../domain/take-turns.ts';
import { type Key, parseWaitingKey } from './table/keys.ts';
import { query } from './table/table.ts';

/**
 * Name of the sparse index of rows that wait. A row is in it as long as it has both attributes of `toDue`. `sweep` acts
 * on them when they are due (functions/sweep.ts). Deliveries to a resting receiver wait in a partition of their
 * webhook, sorted by event, until it recovers.
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

/** A row that waits, and the time until which it does. */
export interface WaitingRow {
  key: Key;
  due: string;
}

/**
 * Lists the rows of one partition of the index, the earliest first, up to a time. The index is eventually consistent.
 * One round trip per megabyte.
 */
export async function* listWaiting(
  partition: string,
  { until = '~', pageSize }: { until?: string; pageSize?: number },
): AsyncGenerator<WaitingRow> {
  const range: [string, string] = ['0', until]; // DynamoDB rejects an empty key
  const rows = query({ index: { name: index, value: partition, sortKey: 'due' }, range, ascending: true, pageSize });
  for await (const { pk, sk, due } of rows) yield { key: { pk: String(pk), sk: String(sk) }, due: String(due) };
}

/** Maximum number of rows that are listed of one partition. */
const maxListed = 20_000;

/**
 * Lists the rows that are due: one of each owner in turn, so that many of one keep nobody else waiting, and the earliest of each first. Up
 * to 20,000 rows of each partition. One concurrent round trip per partition and megabyte.
 */
export async function listDue(now: Date): Promise<Iterable<WaitingRow>> {
  const listPartition = async (partition: string) => {
    const rows: WaitingRow[] = [];
    for await (const row of listWaiting(partition, { until: now.toISOString() }))
      if (rows.push(row) === maxListed) break;
    return rows;
  };
  const rows = (await Promise.all(partitions.map(listPartition))).flat();
  const earliestFirst = rows.toSorted((a, b) => (a.due < b.due ? -1 : 1));
  return takeTurns(Map.groupBy(earliestFirst, ({ key }) => parseWaitingKey(key).owner).values());
}
