import { toCursor } from '../../shared/domain/cursor.ts';
import { pageOf } from '../../shared/domain/page.ts';
import { isWanted, narrowed, pageSizeOf } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { sessions } from '../../shared/routes/logs.ts';
import { envelope } from '../../shared/schemas/common.ts';
import { list, sessionOf } from '../../shared/store/session-heads.ts';

/** Lists the caller's sessions, newest first, of one assistant, room or time where the query says so. */
export const handler = endpoint(sessions, async ({ query, before, user }) => {
  const { limit } = query;
  const listing = list(user.key, narrowed(query), before, pageSizeOf(query));
  const { items, last } = await pageOf(listing, { limit, keep: (head) => isWanted(head, query), show: sessionOf });
  const next_cursor = last ? toCursor(user.key, sessions.id, String(last.sk)) : null;
  return { body: envelope('Chat sessions read', { sessions: items, next_cursor }) };
});
