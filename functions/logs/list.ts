import { toCursor } from '../../shared/domain/cursor.ts';
import { readPage } from '../../shared/domain/page.ts';
import { getPageSize, hasWantedAssistant, parseFilters, toLogPage } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { list as listSessionRows } from '../../shared/store/sessions/session-rows.ts';
import { listCalls } from '../../shared/store/sessions/stored-calls.ts';

/** Lists the caller's sessions with their logs, newest first, as many as fit into a page. */
export const handler = endpoint(list, async ({ query, before, user }) => {
  const { limit } = query;
  const pageSize = getPageSize(query);
  const listing = listCalls(user.key, listSessionRows(user.key, parseFilters(query), before, pageSize), pageSize);
  const { items, last } = await readPage(listing, {
    limit,
    keep: ({ session }) => hasWantedAssistant(session, query),
    show: (call) => ({ ...call.session, ...call.details, ...toLogPage(call, user.key) }),
  });
  const next_cursor = last ? toCursor(user.key, list.id, last.session.session_id) : null;
  return { body: toEnvelope('Chat logs read', { sessions: items, next_cursor }) };
});
