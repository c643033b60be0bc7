import { type DueGroup, duePartitions, formatDue, parseDueTime, toDuePartition } from '../domain/due.ts';
import { type Key, parseWaitingKey, type WaitingThing } from './table/keys.ts';
import { query } from './table/table.ts';

/**
 * Name of the sparse index of rows that wait. A row is in it as long as it has both attributes of `toDue`. `sweep` acts
 * on them when they are due (functions/sweep.ts). Deliveries to a resting receiver wait in a partition of their
 * webhook, sorted by event, until it recovers.
 */
const index = 'by-due';

/** Returns the attributes of an owner's row that waits for a time, RFC 3339. */
export const toDue = (owner: string, time: string, group: DueGroup = 'others') => ({
  [index]: toDuePartition(owner, group),
  due: formatDue(owner, time),
});

/** Clause of an update expression, with its names, that ends the waiting of a row. */
export const clearDue = { clause: 'REMOVE #byDue, due', names: { '#byDue': index } };

/** A row that waits: its key, the parts of it, and the value of its attribute `due`. */
export interface WaitingRow extends WaitingThing {
  key: Key;
  due: string;
}

/** Range of one partition of the index, and the number of rows of its first page. */
interface IndexRange {
  /** First and last value of `due`, inclusive. By default, all. */
  range?: [string, string];
  pageSize: number;
}

/** Reads the keys of one partition of the index, the earliest first. It is eventually consistent. One round trip per page. */
async function* readIndex(
  partition: string,
  { range = [' ', '~'], pageSize }: IndexRange,
): AsyncGenerator<Pick<WaitingRow, 'key' | 'due'>> {
  const rows = query({ index: { name: index, value: partition, sortKey: 'due' }, range, ascending: true, pageSize });
  for await (const { pk, sk, due } of rows) yield { key: { pk: String(pk), sk: String(sk) }, due: String(due) };
}

/**
 * Lists the rows of one partition of the index, the earliest first. Yields undefined for a row outside the partition of its kind: the service
 * did not write it there. One round trip per page.
 */
export async function* listWaiting(
  partition: string,
  range: IndexRange,
): AsyncGenerator<WaitingRow | undefined, undefined> {
  for await (const { key, due } of readIndex(partition, range)) {
    const thing = parseWaitingKey(key);
    yield thing && { ...thing, key, due };
  }
}

/** Number of rows per round trip when owners are listed. */
const ownersPageSize = 100;

/** Lists the owners that have rows due in a partition. One round trip per 100 rows that wait, without most rows of owners who have many. */
async function listOwners(partition: string, now: string): Promise<string[]> {
  const owners: string[] = [];
  let owner = '';
  let count: number;
  do {
    count = 0;
    // `$` comes after `#`: behind all rows of the last owner
    const range: [string, string] = [`${owner}$`, '~'];
    for await (const { due } of readIndex(partition, { range, pageSize: ownersPageSize })) {
      const [next = ''] = due.split('#');
      const time = parseDueTime(due);
      // The service writes no row without a time: its owner is listed anyway, so that it hides no rows behind it.
      if (next !== owner && (time === null || time <= now)) owners.push(next);
      owner = next;
      count += 1;
      if (count === ownersPageSize) break;
    }
  } while (count === ownersPageSize && owner < '~'); // as all owners are
  return owners;
}

/**
 * Lists the rows that are due, those of each owner and partition by themselves, the earliest first. Begins with any owner, so that none is
 * always the last. One concurrent round trip per partition and 100 rows that wait, without most rows of owners who have many, and one per
 * page of an owner's rows, of 25 at first, made only when the caller reads on.
 */
export async function listDue(now: Date): Promise<ReturnType<typeof listWaiting>[]> {
  const time = now.toISOString();
  const listPartition = async (partition: string) =>
    (await listOwners(partition, time)).map((owner) => ({ owner, partition }));
  const found = (await Promise.all(duePartitions.map(listPartition))).flat();
  const first = Math.floor(Math.random() * found.length);
  return [...found.slice(first), ...found.slice(0, first)].map(({ owner, partition }) =>
    listWaiting(partition, { range: [owner, formatDue(owner, time)], pageSize: 25 }),
  );
}
