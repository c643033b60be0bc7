import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { Invalid } from '../errors.ts';
import { instantOf, written } from '../instant.ts';
import type { Log } from '../schemas/log.ts';
import type { CallDetails, CallLog, Session } from '../schemas/session.ts';
import { isPossibleStart } from './call-start.ts';
import { toCursor } from './cursor.ts';
import { thatFit } from './page.ts';
import { anchorOf, previewOf, shownLogs } from './transcript.ts';

/** A call as it is kept: what listings show, and what only its own page shows. Items are kept as sent. */
export interface Call {
  session: Session;
  details: CallDetails;
  items: object[];
}

/** What a worker said, in the order of the contract's table; whatever else it sent is `extra`. */
function detailsOf(log: CallLog): CallDetails {
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
    ...extra
  } = log;
  const details = { end_reason, recording_url, metadata, extra };
  if (Buffer.byteLength(JSON.stringify({ metadata, extra })) > maxDetailBytes) {
    const msg = 'metadata and unknown fields together should have at most 16,384 bytes as JSON';
    throw new Invalid([{ loc: ['body', 'metadata'], msg, type: 'bytes_too_long' }]);
  }
  return details;
}

const maxDetailBytes = 16_384;

const utc = (moment: string | null | undefined) => written(instantOf(moment));

/**
 * Returns an id for the session of a call. Sessions sort by it, so its time is the start of the call. It is the present where the
 * call names no start, or one that cannot be: in the future, before 2000, or before `keptSince` (milliseconds since 1970).
 */
export function newSessionId({ started_at }: Pick<CallLog, 'started_at'>, keptSince: number): string {
  const start = instantOf(started_at);
  const isUsable = start !== undefined && start >= keptSince && isPossibleStart(start, Date.now());
  return isUsable ? uuidv7({ msecs: start }) : uuidv7();
}

/** The call that a log tells of, as the session of that id. Throws Invalid where its details are too large. */
export function callOf(
  log: CallLog,
  { session_id, assistant_name, created_at }: Pick<Session, 'session_id' | 'assistant_name' | 'created_at'>,
): Call {
  const started_at = utc(log.started_at);
  const logs = shownLogs(session_id, log.transcript, started_at);
  return {
    session: {
      session_id,
      assistant_id: log.assistant_id,
      assistant_name,
      room_name: log.room_name,
      participant_name: log.participant_name ?? null,
      channel: 'voice',
      message_count: logs.filter(({ type }) => type === 'message').length,
      session_duration: log.session_duration ?? null,
      preview: previewOf(logs),
      started_at,
      ended_at: utc(log.ended_at),
      end_reason: log.end_reason ?? null,
      created_at,
    },
    details: detailsOf(log),
    items: log.transcript,
  };
}

/** Returns the time by which a session is listed, counted and kept, in milliseconds since 1970: the first 48 bits of its id. */
export const getSessionTime = (sessionId: string): number =>
  Number.parseInt(sessionId.replaceAll('-', '').slice(0, 12), 16);

/** A session id that sorts before (or, with `f`, after) all of that millisecond. */
export function sessionIdAt(milliseconds: number, fill: '0' | 'f'): string {
  const time = Math.max(0, Math.min(milliseconds, 0xffff_ffff_ffff)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${fill.repeat(4)}-${fill.repeat(4)}-${fill.repeat(12)}`;
}

/** What tells a call from all others of its user; undefined where nothing does, so that it is always a new one. */
export function identityOf(log: CallLog): string | undefined {
  const anchor = anchorOf(log.started_at ?? undefined, log.transcript);
  if (!anchor) return undefined;
  return JSON.stringify([log.assistant_id, log.room_name, log.participant_name ?? null, anchor]);
}

/** How far a call has been told: its session, how many items it had, and their digest. */
export interface Told {
  session_id: string;
  count: number;
  digest: string;
}

const digestOf = (items: readonly object[]): string => hash('sha256', JSON.stringify(items), 'base64url');

/** How far these items tell the call of a session. */
export const toldBy = (session_id: string, items: readonly object[]): Told => ({
  session_id,
  count: items.length,
  digest: digestOf(items),
});

/** Of what was told of a call, the most that a transcript repeats from its beginning; undefined where it tells otherwise. */
export function repeated<T extends Told>(items: readonly object[], tellings: readonly T[]): T | undefined {
  return tellings
    .toSorted((one, other) => other.count - one.count)
    .find(({ count, digest }) => count <= items.length && digestOf(items.slice(0, count)) === digest);
}

interface Filters {
  assistant_id?: string | undefined;
  room_name?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Of two narrowings at once the listing knows one, the room: this is the other. */
export const isWanted = ({ assistant_id }: { assistant_id?: unknown }, wanted: Filters): boolean =>
  wanted.assistant_id === undefined || assistant_id === wanted.assistant_id;

/** Items a round trip: one more than asked for tells whether there are more. With two narrowings, pages as they come. */
export const pageSizeOf = ({ limit, assistant_id, room_name }: Filters & { limit?: number | undefined }) =>
  limit && !(assistant_id && room_name) ? limit + 1 : undefined;

/** What a listing is narrowed to, its times as milliseconds since 1970. */
export const narrowed = ({ assistant_id, room_name, from, to }: Filters) => ({
  assistant_id,
  room_name,
  from: instantOf(from),
  to: instantOf(to),
});

/** A part of a call's logs. */
export interface Logs {
  logs: Log[];
  /** Where the rest begins, where there is more than an answer holds. */
  next_cursor: string | null;
}

/** A log that no answer can hold is shown by the beginning of its text: at most seven bytes a character once escaped. */
const clipped = (log: Log): Log => ({
  ...log,
  content: log.content?.slice(0, 600_000).toWellFormed() ?? null,
  arguments: null,
  output: null,
  raw: { truncated: true },
});

/** A call's logs as they are shown, from an index on, as many as fit into an answer of their own. */
export function logsOf({ session, items }: Call, owner: string, from = 0): Logs {
  const { items: logs, next } = thatFit(shownLogs(session.session_id, items, session.started_at), from, clipped);
  // A cursor into a session's logs is one of the address that reads this session.
  return {
    logs,
    next_cursor: next === undefined ? null : toCursor(owner, `logs/get ${session.session_id}`, String(next)),
  };
}
