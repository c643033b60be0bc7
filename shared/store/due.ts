import type { Key } from './table/keys.ts';
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

/** Lists the rows that are due, separately for each partition, the earliest first. */
export const listDue = (now: Date): AsyncGenerator<WaitingRow>[] =>
  partitions.map((partition) => listWaiting(partition, { until: now.toISOString() }));
