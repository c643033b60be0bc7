import { getSessionTime } from '../domain/session.ts';
import { env } from '../env.ts';
import { day } from './table.ts';

/**
 * How long sessions are kept: for so many whole days in UTC after the day they were made, as S3 counts for their files.
 * Readers compare, since the database and S3 delete hours or days later. So a shorter setting holds at once for readers; a
 * longer one for sessions saved from then on, since rows keep the expiry that they were written with.
 */
const days = Number(env('TRANSCRIPT_DAYS')) || Number.POSITIVE_INFINITY;

const dayMs = day * 1000;

const midnight = (ms: number) => Math.floor(ms / dayMs) * dayMs;

/** The first moment whose sessions are kept, in milliseconds since 1970. */
export const keptSince = (): number => Math.max(0, midnight(Date.now()) - days * dayMs);

export const isKept = (sessionId: string): boolean => getSessionTime(sessionId) >= keptSince();

/** The attribute that has DynamoDB delete the rows of a session in time. */
export function expiryOf(sessionId: string): { expires_at?: number } {
  const expiry = midnight(getSessionTime(sessionId)) + (days + 1) * dayMs;
  return Number.isFinite(expiry) ? { expires_at: expiry / 1000 } : {};
}
