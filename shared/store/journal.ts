import { v7 as uuidv7 } from 'uuid';
import { getIdTime } from '../domain/time-id.ts';
import { env } from '../env.ts';
import type { EventData, EventType } from '../events.ts';
import type { Actor, JournalEvent } from '../schemas/event.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { type Key, toEventKey, toEventsRange } from './table/keys.ts';
import { logUnreadable } from './table/log-unreadable.ts';
import { daySeconds, getAll, getUnixSeconds, query, type Row, tryGetAll } from './table/table.ts';
import { type Write, write } from './table/writes.ts';

/** Days that an event is kept. */
export const eventDays = /* @__PURE__ */ Number(/* @__PURE__ */ env('EVENT_DAYS'));

/** Maximum length of a text in an event's data, in characters. With these limits, most rows take less than 4 KB. */
const maxTextLength = 300;

/** Maximum number of items in a list of an event's data. */
const maxListed = 50;

/** Maximum length of a text that is an item of a list. */
const maxListedLength = 60;

/** Author and request of a change. */
export interface Cause {
  /** Owner in the table's partition keys. */
  owner: string;
  /** Null for the service itself, which does not know it. */
  userId: string | null;
  actor: Actor;
  requestId: string;
}

const shortenText = (value: unknown, maxLength: number): unknown =>
  typeof value === 'string' && value.length > maxLength ? `${value.slice(0, maxLength)}…`.toWellFormed() : value;

/** Shortens the texts and lists of an event's data. */
const shorten = (_: string, value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, maxListed).map((item) => shortenText(item, maxListedLength))
    : shortenText(value, maxTextLength);

/** The write of an event, and its id. */
export type EventWrite = Write & { eventId: string };

/** Builds the write of an event. Put it into the transaction of the change, so that both are written or neither. */
export function buildEventWrite<T extends EventType>(
  { owner, userId, actor, requestId }: Cause,
  type: T,
  subjectId: string,
  data: EventData<T>,
): EventWrite {
  const id = uuidv7();
  const created_at = new Date(getIdTime(id)).toISOString(); // so that a filter by time finds it by its id
  return {
    Put: {
      Item: {
        ...toEventKey(owner, id),
        type,
        subject_id: subjectId,
        data: JSON.stringify(data, shorten),
        actor,
        user_id: userId,
        request_id: requestId,
        created_at,
        expires_at: getUnixSeconds(eventDays * daySeconds),
      },
    },
    eventId: id,
  };
}

/** Stores an event, in one transaction with the extra writes. One round trip. */
export const append = (event: Write, extraWrites: Write[]): Promise<void> => write(event, ...extraWrites);

/**
 * Stores an event that belongs to no other write. One round trip. Never throws, since the caller waits for something
 * else: a failure is logged.
 */
export const record = (event: Write): Promise<void> =>
  write(event).catch((error: Error) => console.error({ event: 'not recorded', error: error.name }));

/** Converts a row. Throws if it is not one that the service writes. */
function fromRow(row: Row): JournalEvent {
  const type = String(row.type);
  const { kind, id } = row.actor as Actor; // DynamoDB does not keep the order of keys
  const data = JSON.parse(String(row.data));
  if (typeof data !== 'object' || data === null) throw new TypeError('An event has no data');
  return {
    id: String(row.sk).slice('EVENT#'.length),
    type: type as EventType,
    subject: { type: type.split('.', 1)[0] ?? type, id: String(row.subject_id) },
    data,
    actor: { kind, id },
    user_id: (row.user_id as string | undefined) ?? null,
    request_id: String(row.request_id),
    created_at: new Date(String(row.created_at)).toISOString(),
  };
}

/** Converts a row. Undefined, and logged unless told otherwise, if it cannot be read: the events beside it can. */
function tryFromRow(row: Row, shouldLog = true): JournalEvent | undefined {
  try {
    return fromRow(row);
  } catch (error) {
    if (shouldLog) logUnreadable(row, error);
    return undefined;
  }
}

const formatKey = ({ pk, sk }: Row | Key): string => `${pk} ${sk}`;

/** Events that were read together. */
interface ReadEvents {
  /** Returns the event of a key. Undefined if it is gone, or cannot be read. */
  find(key: Key): JournalEvent | undefined;
  /** True for a key that DynamoDB did not read. */
  isUnread(key: Key): boolean;
}

/** Reads events of any owners, each once. Logs which DynamoDB did not read. One round trip per 100, all at once. */
export async function tryGetMany(keys: readonly Key[]): Promise<ReadEvents> {
  const unique = [...new Map(keys.map((key) => [formatKey(key), key])).values()];
  const { rows, unread } = await tryGetAll(unique).catch((error: unknown) => {
    console.error({ event: 'events not read', error: serializeError(error) });
    return { rows: [], unread: keys };
  });
  const events = new Map(rows.map((row) => [formatKey(row), tryFromRow(row)]));
  const unreadKeys = new Set(unread.map(formatKey));
  return { find: (key) => events.get(formatKey(key)), isUnread: (key) => unreadKeys.has(formatKey(key)) };
}

/** Returns events by id, without those that are gone. One concurrent round trip per 100. */
export async function getByIds(owner: string, ids: Iterable<string>): Promise<Map<string, JournalEvent>> {
  const rows = await getAll([...new Set(ids)].map((id) => toEventKey(owner, id)));
  const found = rows.map((row) => tryFromRow(row)).filter((event) => event !== undefined);
  return new Map(found.map((event) => [event.id, event]));
}

/** Finds an event. One round trip. */
export const find = async (owner: string, id: string): Promise<JournalEvent | undefined> =>
  (await getByIds(owner, [id])).get(id);

export interface EventRange {
  /** First and last time of the events, in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  /** Sorts ascending. By default, descending: newest first. */
  ascending?: boolean;
  /** Starts after this event. */
  after?: string | undefined;
  pageSize?: number | undefined;
}

/**
 * Lists the events of a user that are kept, without those that cannot be read, of which it logs the first. One round trip per page of
 * at most a megabyte.
 */
export async function* list(
  owner: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER, ascending = false, after, pageSize }: EventRange,
): AsyncGenerator<JournalEvent> {
  const oldest = Date.now() - eventDays * daySeconds * 1000;
  const { pk, range } = toEventsRange(owner, Math.max(from, oldest), to);
  const [first, last] = range;
  if (first > last) return;
  const start = after === undefined ? undefined : toEventKey(owner, after).sk;
  // DynamoDB rejects a start outside the range. Before the range it means the beginning; behind it, nothing is left.
  const [isBefore, isBehind] = ascending
    ? [start !== undefined && start < first, start !== undefined && start >= last]
    : [start !== undefined && start > last, start !== undefined && start <= first];
  if (isBehind) return;
  let hasLogged = false;
  for await (const row of query({ pk, range, ascending, after: isBefore ? undefined : start, pageSize })) {
    const event = tryFromRow(row, !hasLogged);
    if (event) yield event;
    else hasLogged = true;
  }
}
