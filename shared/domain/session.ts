import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { Invalid } from '../errors.ts';
import type { EventData } from '../events.ts';
import type { Log } from '../schemas/log.ts';
import type { CallDetails, CallLog, Channel, Session } from '../schemas/session.ts';
import type { Prices } from '../schemas/usage.ts';
import { formatTimestamp, parseTimestamp } from '../timestamp.ts';
import { isPossibleStart } from './call-start.ts';
import { toCursor } from './cursor.ts';
import { takeFitting } from './page.ts';
import { buildPreview, findAnchor, toLogs } from './transcript.ts';
import { type Counters, countCall, countTurns, countUsage, findMedianLatency } from './usage.ts';

/** A stored call: the fields that listings show, the details that they leave out, and the transcript items as sent. */
export interface StoredCall {
  session: Session;
  details: CallDetails;
  items: object[];
}

/** Collects the details of a call log. Unknown fields go into `extra`. Throws Invalid if they are too large. */
function toCallDetails(log: CallLog): CallDetails {
  const {
    assistant_id: _assistant,
    room_name: _room,
    transcript: _transcript,
    session_duration: _duration,
    participant_name: _participant,
    started_at: _start,
    ended_at: _end,
    end_reason = null,
    recording_url = null,
    metadata = null,
    usage = null,
    cost: _cost,
    assistant_version: _version,
    direction = null,
    from = null,
    to = null,
    ...extra
  } = log;
  const measureBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  // Usage that is too large is counted, but not stored.
  const storedUsage = measureBytes(usage) <= maxDetailBytes ? usage : null;
  const details = { end_reason, recording_url, metadata, direction, from, to, usage: storedUsage, extra };
  if (measureBytes({ metadata, extra }) > maxDetailBytes) {
    const msg = 'metadata and unknown fields together should have at most 16,384 bytes as JSON';
    throw new Invalid([{ loc: ['body', 'metadata'], msg, type: 'bytes_too_long' }]);
  }
  return details;
}

const maxDetailBytes = 16_384;

const normalizeTimestamp = (timestamp: string | null | undefined) => formatTimestamp(parseTimestamp(timestamp));

/**
 * Creates the id of a session. Sessions sort by id, so its time is the start of the call. Uses `now` if the start is
 * missing or impossible: in the future, before 2000, or before `retentionStart`. Times are in milliseconds since 1970.
 */
export function createSessionId(
  { started_at }: Pick<CallLog, 'started_at'>,
  retentionStart: number,
  now: number,
): string {
  const start = parseTimestamp(started_at);
  const isUsable = start !== undefined && start >= retentionStart && isPossibleStart(start, now);
  return uuidv7({ msecs: isUsable ? start : now });
}

/** Builds the data of an event about a saved call. */
export const toCallData = (session: Session): EventData<'call.completed'> => ({
  assistant_id: session.assistant_id,
  room_name: session.room_name,
  participant_name: session.participant_name,
  session_duration: session.session_duration,
  message_count: session.message_count,
  end_reason: session.end_reason,
  started_at: session.started_at,
  ended_at: session.ended_at,
  assistant_version: session.assistant_version,
  latency_ms: session.latency_ms,
  cost: session.cost,
});

/** A call to store, with what it adds to the usage. */
export interface NewCall extends StoredCall {
  counters: Counters;
}

/** Converts a call log to the stored call of a session. Throws Invalid if its details are too large. */
export function toNewCall(
  log: CallLog,
  prices: Prices,
  { session_id, assistant_name, created_at }: Pick<Session, 'session_id' | 'assistant_name' | 'created_at'>,
  channel: Channel = 'voice',
): NewCall {
  const started_at = normalizeTimestamp(log.started_at);
  const logs = toLogs(session_id, log.transcript, started_at);
  const [session_duration, end_reason] = [log.session_duration ?? null, log.end_reason ?? null];
  const counters = {
    ...countCall({ session_duration, end_reason }),
    ...countTurns(logs, log.transcript),
    ...countUsage(log, prices),
  };
  return {
    counters,
    session: {
      session_id,
      assistant_id: log.assistant_id,
      assistant_name,
      room_name: log.room_name,
      participant_name: log.participant_name ?? null,
      channel,
      message_count: counters.messages ?? 0,
      session_duration,
      preview: buildPreview(logs),
      started_at,
      ended_at: normalizeTimestamp(log.ended_at),
      end_reason,
      assistant_version: log.assistant_version ?? null,
      latency_ms: findMedianLatency(log.transcript),
      cost: counters.cost_micros === undefined ? null : counters.cost_micros / 1e6,
      created_at,
    },
    details: toCallDetails(log),
    items: log.transcript,
  };
}

/**
 * Returns the key of a call, unique per user. Undefined if nothing identifies it; it is then always a new
 * call.
 */
export function findCallIdentity(log: CallLog): string | undefined {
  const anchor = findAnchor(log.started_at ?? undefined, log.transcript);
  if (!anchor) return undefined;
  return JSON.stringify([log.assistant_id, log.room_name, log.participant_name ?? null, anchor]);
}

/** A saved version of a call: its session, and count and digest of its items. */
export interface CallVersion {
  session_id: string;
  count: number;
  digest: string;
}

const computeDigest = (items: readonly object[]): string => hash('sha256', JSON.stringify(items), 'base64url');

export const toCallVersion = (session_id: string, items: readonly object[]): CallVersion => ({
  session_id,
  count: items.length,
  digest: computeDigest(items),
});

/** Returns the longest saved version that is a prefix of `items`, if any. */
export function findLongestPrefix<T extends CallVersion>(
  items: readonly object[],
  versions: readonly T[],
): T | undefined {
  return versions
    .toSorted((one, other) => other.count - one.count)
    .find(({ count, digest }) => count <= items.length && computeDigest(items.slice(0, count)) === digest);
}

interface Filters {
  assistant_id?: string | undefined;
  room_name?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * True if a session passes the assistant filter. A query that filters by room and assistant uses the index of the room
 * only.
 */
export const hasWantedAssistant = ({ assistant_id }: { assistant_id?: unknown }, filters: Filters): boolean =>
  filters.assistant_id === undefined || assistant_id === filters.assistant_id;

/**
 * Returns the number of rows to query per round trip: one more than `limit`, to see if there are more. Undefined (full
 * pages) if both filters are set, since many rows may then be dropped.
 */
export const getPageSize = ({ limit, assistant_id, room_name }: Filters & { limit?: number | undefined }) =>
  limit && !(assistant_id && room_name) ? limit + 1 : undefined;

/** Parses the filters of a listing. Times become milliseconds since 1970. */
export const parseFilters = ({ assistant_id, room_name, from, to }: Filters) => ({
  assistant_id,
  room_name,
  from: parseTimestamp(from),
  to: parseTimestamp(to),
});

/** One page of a call's logs. */
export interface LogPage {
  logs: Log[];
  /** Cursor of the next page. Null on the last one. */
  next_cursor: string | null;
}

const truncate = (text: string | null, length: number) => text?.slice(0, length).toWellFormed() ?? null;

/**
 * Truncates a log that is larger than a page to the beginning of its text. An escaped character takes at most seven
 * bytes.
 */
const truncateLog = (log: Log): Log => ({
  ...log,
  content: truncate(log.content, 600_000),
  name: truncate(log.name, 1_000),
  call_id: truncate(log.call_id, 1_000),
  arguments: null,
  output: null,
  raw: { truncated: true },
});

/** Returns as many logs of a call as fit into a page, starting at an index. */
export function toLogPage({ session, items }: StoredCall, owner: string, from = 0): LogPage {
  const { items: logs, next } = takeFitting(toLogs(session.session_id, items, session.started_at), from, truncateLog);
  // The cursor belongs to the route that reads one session, also when a listing of sessions returns it.
  return {
    logs,
    next_cursor: next === undefined ? null : toCursor(owner, `logs/get ${session.session_id}`, String(next)),
  };
}
