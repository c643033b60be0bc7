import { takeFirst, takeFitting } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/chats.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { countSessions, list as listSessionRows, toSession } from '../../shared/store/sessions/session-rows.ts';

/** Lists the caller's chats with limit and skip, for clients of the original API. */
export const handler = endpoint(list, async ({ query, user }) => {
  const { limit = 50, skip = 0 } = query;
  const listing = listSessionRows(user.key, {}, undefined, skip + limit + 1);
  const [found, count] = await Promise.all([takeFirst(listing, skip + limit + 1), countSessions(user.key)]);
  const { items: chats } = takeFitting(found.slice(skip, skip + limit).map(toSession));
  const body = { chats, total: count, limit, skip, has_more: found.length > skip + chats.length };
  return { body: toEnvelope('Chats read', body) };
});
