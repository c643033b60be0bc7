import { sessionIdAt } from '../domain/session.ts';
import type { Session } from '../schemas/session.ts';
import { countsOf, sessionsOf } from './keys.ts';
import { keptSince } from './retention.ts';
import { type Item, query } from './table.ts';

/** What a listing of sessions may be narrowed to. Times are in milliseconds since 1970. */
export interface Narrowed {
  assistant_id?: string | undefined;
  room_name?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** A session as listings show it. */
export const sessionOf = (item: Item): Session => ({
  session_id: String(item.sk),
  assistant_id: item.assistant_id as string,
  assistant_name: (item.assistant_name as string | undefined) ?? null,
  room_name: item.room_name as string,
  participant_name: (item.participant_name as string | undefined) ?? null,
  channel: 'voice',
  message_count: item.message_count as number,
  session_duration: (item.session_duration as number | undefined) ?? null,
  preview: (item.preview as string | undefined) ?? null,
  started_at: (item.started_at as string | undefined) ?? null,
  ended_at: (item.ended_at as string | undefined) ?? null,
  end_reason: (item.end_reason as string | undefined) ?? null,
  created_at: item.created_at as string,
});

/**
 * The heads of a user's sessions as they are stored, newest first, beyond a session's id. Of two narrowings at once the index
 * knows one, the room: the reader looks at the other. One round trip a megabyte read.
 */
export async function* list(
  owner: string,
  narrowed: Narrowed,
  beyond?: string,
  pageSize?: number,
): AsyncGenerator<Item> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, assistant_id, room_name } = narrowed;
  const [first, last] = [sessionIdAt(Math.max(from, keptSince()), '0'), sessionIdAt(to, 'f')];
  if (first > last) return;
  const listing = sessionsOf(
    owner,
    { ...(assistant_id && { assistant_id }), ...(room_name && { room_name }) },
    first,
    last,
  );
  if (beyond !== undefined && beyond <= first) return;
  // Beyond what is wanted means from its top; DynamoDB refuses to start outside the range.
  yield* query({ ...listing, beyond: beyond !== undefined && beyond <= last ? beyond : undefined, pageSize });
}

/** How many sessions a user has, summed up over days. One round trip: a year of daily calls is some 30 KB. */
export async function total(owner: string): Promise<number> {
  let sum = 0;
  for await (const { sessions } of query(countsOf(owner, keptSince()))) sum += Number(sessions);
  return sum;
}
