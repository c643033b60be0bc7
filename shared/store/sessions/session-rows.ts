import { toIdBound } from '../../domain/time-id.ts';
import type { Channel, Session } from '../../schemas/session.ts';
import { toCountsRange, toSessionsRange } from '../table/keys.ts';
import { getRetentionStart } from '../table/retention.ts';
import { query, type Row } from '../table/table.ts';

/** Filters of a session listing. Times are in milliseconds since 1970. */
export interface SessionFilters {
  assistant_id?: string | undefined;
  room_name?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Converts a row to a session as returned by listings. */
export const toSession = (row: Row): Session => ({
  session_id: String(row.sk),
  assistant_id: row.assistant_id as string,
  assistant_name: (row.assistant_name as string | undefined) ?? null,
  room_name: row.room_name as string,
  participant_name: (row.participant_name as string | undefined) ?? null,
  channel: (row.channel as Channel | undefined) ?? 'voice',
  message_count: row.message_count as number,
  session_duration: (row.session_duration as number | undefined) ?? null,
  preview: (row.preview as string | undefined) ?? null,
  started_at: (row.started_at as string | undefined) ?? null,
  ended_at: (row.ended_at as string | undefined) ?? null,
  end_reason: (row.end_reason as string | undefined) ?? null,
  assistant_version: (row.assistant_version as number | undefined) ?? null,
  latency_ms: (row.latency_ms as number | undefined) ?? null,
  cost: (row.cost as number | undefined) ?? null,
  created_at: row.created_at as string,
});

/**
 * Lists the session rows of a user, newest first, starting after a session id. If room and assistant are both set,
 * filters by room only, since a query uses one index; the caller filters by assistant. One round trip per megabyte
 * read.
 */
export async function* list(
  owner: string,
  filters: SessionFilters,
  after?: string,
  pageSize?: number,
): AsyncGenerator<Row> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, assistant_id, room_name } = filters;
  const [first, last] = [toIdBound(Math.max(from, getRetentionStart()), '0'), toIdBound(to, 'f')];
  if (first > last) return;
  const listing = toSessionsRange(
    owner,
    { ...(assistant_id && { assistant_id }), ...(room_name && { room_name }) },
    first,
    last,
  );
  if (after !== undefined && after <= first) return;
  // DynamoDB rejects a start outside the range. A position above it means the beginning.
  yield* query({ ...listing, after: after !== undefined && after <= last ? after : undefined, pageSize });
}

/** Returns the number of sessions of a user, the sum of daily counts. One round trip: a year of them is about 30 KB. */
export async function countSessions(owner: string): Promise<number> {
  let sum = 0;
  for await (const { sessions } of query(toCountsRange(owner, getRetentionStart()))) sum += Number(sessions);
  return sum;
}
