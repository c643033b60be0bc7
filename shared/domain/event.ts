import type { JournalEvent } from '../schemas/event.ts';
import { parseTimestamp } from '../timestamp.ts';
import { getIdTime } from './time-id.ts';

/** Filters of events. */
interface Filters {
  /** A type, or all types of a subject: `call.*`. */
  type?: string | undefined;
  subject_id?: string | undefined;
  actor_id?: string | undefined;
}

/** Returns true if an event passes all filters. */
export const isWanted = ({ type, subject, actor }: JournalEvent, wanted: Filters): boolean =>
  (wanted.type === undefined || wanted.type === type || wanted.type === `${subject.type}.*`) &&
  (wanted.subject_id === undefined || wanted.subject_id === subject.id) &&
  (wanted.actor_id === undefined || wanted.actor_id === actor.id);

/**
 * Maximum time between an event and its row, in milliseconds: twice the time limit of the slowest function. An import
 * writes the rows of older events.
 */
const maxWriteDelayMs = 600_000;

/** Returns true if an event was told when its row was added, in milliseconds since 1970, and not restored from an export. */
export const isNewlyTold = ({ id }: JournalEvent, addedAt: number): boolean =>
  addedAt - getIdTime(id) < maxWriteDelayMs;

/** Returns the times of a query, in milliseconds since 1970. */
export const parseTimes = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: parseTimestamp(from),
  to: parseTimestamp(to),
});

/** Returns the number of events to read at once: one more than the limit, or full pages if a filter drops some. */
export const getPageSize = ({ type, subject_id, actor_id, limit }: Filters & { limit: number }): number | undefined =>
  type === undefined && subject_id === undefined && actor_id === undefined ? limit + 1 : undefined;
