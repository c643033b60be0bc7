import type { JournalEvent } from '../schemas/event.ts';
import { parseTimestamp } from '../timestamp.ts';
import { deriveId, getIdTime } from './time-id.ts';

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

/** Returns true if an event was written when its row was added, in milliseconds since 1970, and not restored from an export. */
export const isNewlyTold = ({ id }: JournalEvent, addedAt: number): boolean =>
  addedAt - getIdTime(id) < maxWriteDelayMs;

/** An event as receivers get it: one of the journal, or one that follows from it. */
export type OutgoingEvent = Omit<JournalEvent, 'type'> & { type: string };

/** Lists the assistants that an event gives other search results. */
function listSearchChanges({ type, data }: JournalEvent): unknown[] {
  if (type === 'knowledge_base.attached' || type === 'knowledge_base.detached') return [data.assistant_id];
  const isChange = type === 'knowledge_base.ready' || type === 'knowledge_base.deleted';
  return isChange && Array.isArray(data.assistant_ids) ? data.assistant_ids : [];
}

/**
 * Lists the events for receivers: the event, and `search.updated` if it changes what assistants find, with an
 * id that follows from the event's.
 */
export function toOutgoingEvents(event: JournalEvent): OutgoingEvent[] {
  const assistant_ids = listSearchChanges(event);
  if (assistant_ids.length === 0) return [event];
  const type = 'search.updated';
  const data = { assistant_ids, knowledge_base_id: event.subject.id, reason: event.type };
  return [event, { ...event, id: deriveId(event.id, type), type, data }];
}

/** Finds one of the events for receivers by its id. */
export const findOutgoingEvent = (event: JournalEvent | undefined, id: string): OutgoingEvent | undefined =>
  event && toOutgoingEvents(event).find((one) => one.id === id);

/** Returns the times of a query, in milliseconds since 1970. */
export const parseTimes = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: parseTimestamp(from),
  to: parseTimestamp(to),
});

/** Returns the number of events to read in one query: one more than the limit, or full pages if a filter drops some. */
export const getPageSize = ({ type, subject_id, actor_id, limit }: Filters & { limit: number }): number | undefined =>
  type === undefined && subject_id === undefined && actor_id === undefined ? limit + 1 : undefined;
