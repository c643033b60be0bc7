import { getIdTime } from '../../domain/time-id.ts';
import { env } from '../../env.ts';
import { daySeconds } from './table.ts';

/**
 * Retention of sessions, in whole UTC days after the day of the session, counted as S3 lifecycle rules do for files.
 * Readers check it too, since DynamoDB and S3 delete hours or days late. A shorter setting therefore takes effect
 * immediately. A longer one applies to sessions saved from then on, since rows keep the expiry that they were written
 * with.
 */
const retentionDays = Number(env('TRANSCRIPT_DAYS')) || Number.POSITIVE_INFINITY;

const dayMs = daySeconds * 1000;

const toMidnight = (ms: number) => Math.floor(ms / dayMs) * dayMs;

/** Returns the time of the oldest retained sessions, in milliseconds since 1970. */
export const getRetentionStart = (): number => Math.max(0, toMidnight(Date.now()) - retentionDays * dayMs);

export const isRetained = (sessionId: string): boolean => getIdTime(sessionId) >= getRetentionStart();

/** Returns the TTL attribute of a session's rows, empty without a retention limit. */
export function toExpiry(sessionId: string): { expires_at?: number } {
  const expiry = toMidnight(getIdTime(sessionId)) + (retentionDays + 1) * dayMs;
  return Number.isFinite(expiry) ? { expires_at: expiry / 1000 } : {};
}
