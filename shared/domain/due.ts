import { hash } from 'node:crypto';

/** Group of rows that wait. Deliveries to webhooks, of which one event makes up to forty, are apart from all else. */
export type DueGroup = 'deliveries' | 'others';

/**
 * Number of partitions of a group. Many, since DynamoDB lets each be written 1,000 times a second: an owner fills one, which few others
 * share.
 */
const partitionCount = 32;

/** Returns the partition of the index `by-due` for the rows of an owner and a group. */
export const toDuePartition = (owner: string, group: DueGroup): string =>
  `${group}-${Number(`0x${hash('sha256', owner).slice(0, 8)}`) % partitionCount}`;

const listPartitions = (group: DueGroup) => Array.from({ length: partitionCount }, (_, i) => `${group}-${i}`);

/** All partitions of the index `by-due`, with the four of releases until November 2026. */
export const duePartitions = [...listPartitions('others'), ...listPartitions('deliveries'), '0', '1', '2', '3'];

/**
 * Formats the time, RFC 3339, for which a row of an owner waits: `<owner>#<time>`. The owner comes first, so that many rows of one can be
 * skipped.
 */
export const formatDue = (owner: string, time: string): string => `${owner}#${time}`;

/** Returns the time in a value of `due`, RFC 3339, or null if it has none. Rows of earlier releases have the time alone. */
export function parseDueTime(due: string): string | null {
  const time = due.slice(due.indexOf('#') + 1);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) ? time : null;
}
