import { toCursor } from '../../shared/domain/cursor.ts';
import { pageOf } from '../../shared/domain/page.ts';
import { isWanted, logsOf, narrowed, pageSizeOf } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/logs.ts';
import { envelope } from '../../shared/schemas/common.ts';
import { calls } from '../../shared/store/session-calls.ts';
import { list as heads } from '../../shared/store/session-heads.ts';

/** Lists the caller's sessions with their logs, newest first: as many as fit into an answer. */
export const handler = endpoint(list, async ({ query, before, user }) => {
  const { limit } = query;
  const pageSize = pageSizeOf(query);
  const listing = calls(user.key, heads(user.key, narrowed(query), before, pageSize), pageSize);
  const { items, last } = await pageOf(listing, {
    limit,
    keep: ({ session }) => isWanted(session, query),
    show: (call) => ({ ...call.session, ...call.details, ...logsOf(call, user.key) }),
  });
  const next_cursor = last ? toCursor(user.key, list.id, last.session.session_id) : null;
  return { body: envelope('Chat logs read', { sessions: items, next_cursor }) };
});
