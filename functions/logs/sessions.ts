import { toCursor } from '../../shared/domain/cursor.ts';
import { readPage } from '../../shared/domain/page.ts';
import { getPageSize, hasWantedAssistant, parseFilters } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { sessions } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { list, toSession } from '../../shared/store/sessions/session-rows.ts';

/** Lists the caller's sessions, newest first. Filters by assistant, room and time. */
export const handler = endpoint(sessions, async ({ query, before, user }) => {
  const { limit } = query;
  const listing = list(user.key, parseFilters(query), before, getPageSize(query));
  const { items, last } = await readPage(listing, {
    limit,
    keep: (row) => hasWantedAssistant(row, query),
    show: toSession,
  });
  const next_cursor = last ? toCursor(user.key, sessions.id, String(last.sk)) : null;
  return { body: toEnvelope('Chat sessions read', { sessions: items, next_cursor }) };
});
