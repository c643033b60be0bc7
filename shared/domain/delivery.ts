import { Invalid } from '../errors.ts';
import type { Attempt, Delivery, Replay } from '../schemas/webhook.ts';
import { parseTimestamp } from '../timestamp.ts';
import type { OutgoingEvent } from './event.ts';

/** A delivery as stored: what became of one event for one webhook. */
export interface StoredDelivery {
  webhook_id: string;
  event_id: string;
  /** Event of the journal that it comes from. Differs from `event_id` for an event that follows from another. */
  source_id: string;
  type: string;
  status: Delivery['status'];
  /** Why it has failed for good. */
  reason: string | null;
  /** Attempts since it was created or requested again. */
  attempts: number;
  /** Last attempts, oldest first. */
  history: Attempt[];
  delivered_at: string | null;
  /** Planned time of the next attempt, RFC 3339. Null if none is planned. */
  next_attempt_at: string | null;
  /** Present while it is pending: where it waits, and when it is due (shared/store/due.ts). */
  'by-due'?: string;
  due?: string;
  created_at: string;
}

/** Pauses after each failed attempt, in seconds: 75 hours in all, as in the example of Standard Webhooks. */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const maxAttempts = pauses.length + 1;
const maxRetryAfterSeconds = 86_400;
const maxHistory = 10;
export const maxAnswerCharacters = 500;

/** Outcome of one attempt. */
export type Outcome = Attempt & {
  /** `retry-after` of the answer, if it has one. */
  retryAfter?: string | undefined;
};

/** True if the receiver has accepted the event. */
export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/** Parses `Retry-After`, a number of seconds or a date, into seconds from now. At most a day. */
function parseRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxRetryAfterSeconds) : 0;
}

/** Returns the seconds until the next attempt, spread by a tenth so that failed ones do not come back together. */
function toPause(attempts: number, outcome: Outcome, now: number): number {
  const pause = (pauses[attempts - 1] ?? 0) * (0.9 + 0.2 * Math.random());
  return Math.max(pause, parseRetryAfter(outcome.retryAfter, now));
}

/** State of a delivery after an attempt. `pause` is the number of seconds until the next one, if there is one. */
export type NextState = Pick<StoredDelivery, 'status' | 'reason' | 'attempts' | 'history' | 'delivered_at'> & {
  pause?: number;
};

/** Returns the state of a delivery after an attempt. */
export function applyOutcome({ attempts, history }: StoredDelivery, outcome: Outcome, now: number): NextState {
  const { retryAfter: _, ...attempt } = outcome;
  const tried = attempts + 1;
  const next = { attempts: tried, history: [...history, attempt].slice(-maxHistory), reason: null, delivered_at: null };
  if (isSuccess(outcome)) return { ...next, status: 'delivered', delivered_at: attempt.at };
  if (outcome.status === 410) return { ...next, status: 'failed', reason: 'gone' };
  if (outcome.error === 'forbidden_address') return { ...next, status: 'failed', reason: 'forbidden_address' };
  if (tried >= maxAttempts) return { ...next, status: 'failed', reason: 'attempts_exhausted' };
  return { ...next, status: 'pending', pause: toPause(tried, outcome, now) };
}

/** Maximum size of a body with a transcript, in bytes. */
const maxBodyBytes = 512 * 1024;

/**
 * Builds the body of a delivery, as Standard Webhooks has it. `transcript` is what to add to an event of a call, null if
 * it is gone. One that makes the body larger than 512 KB is left out.
 */
export function buildBody(
  { id, type, created_at, data, subject, user_id, actor }: OutgoingEvent,
  transcript?: readonly unknown[] | null,
): string {
  const common = { type, timestamp: created_at, id, user_id, actor };
  const toBody = (extra: object) => JSON.stringify({ ...common, data: { id: subject.id, ...data, ...extra } });
  if (transcript === undefined) return toBody({});
  const body = toBody({ transcript });
  return Buffer.byteLength(body) <= maxBodyBytes ? body : toBody({ transcript: null, transcript_truncated: true });
}

/** Returns the time of a pending delivery's next attempt. Null while it waits for its receiver to recover. */
const getNextAttempt = ({ webhook_id, status, next_attempt_at, ...delivery }: StoredDelivery): string | null =>
  status === 'pending' && delivery['by-due'] !== webhook_id ? next_attempt_at : null;

/** Converts a stored delivery to its API representation. `event` is missing if it has expired. */
export const toDelivery = (delivery: StoredDelivery, event: OutgoingEvent | undefined): Delivery => ({
  event_id: delivery.event_id,
  type: delivery.type,
  status: delivery.status,
  reason: delivery.reason,
  attempts: delivery.attempts,
  next_attempt_at: getNextAttempt(delivery),
  history: delivery.history,
  delivered_at: delivery.delivered_at,
  created_at: delivery.created_at,
  payload: event ? JSON.parse(buildBody(event)) : null,
});

/** Range of the journal that a replay sends again. */
export interface ReplayRange {
  from: number;
  to: number;
  types: string[];
  onlyFailed: boolean;
}

/** Builds the data of a `webhook.replay_requested` event. Throws Invalid if the events of the period have expired. */
export function toReplayData({ from, to, types, only_failed }: Replay, eventDays: number) {
  const now = Date.now();
  const [first, last] = [parseTimestamp(from) ?? 0, parseTimestamp(to) ?? now];
  if (last < now - eventDays * 86_400_000)
    throw new Invalid([
      { loc: ['body', 'to'], type: 'datetime_past', msg: `Events are kept for ${eventDays} days: choose a later time` },
    ]);
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString(), types, only_failed };
}

/** Parses the data of a `webhook.replay_requested` event. */
export const parseReplay = (data: Record<string, unknown>): ReplayRange => ({
  from: parseTimestamp(String(data.from)) ?? 0,
  to: parseTimestamp(String(data.to)) ?? 0,
  types: data.types as string[],
  onlyFailed: data.only_failed === true,
});
