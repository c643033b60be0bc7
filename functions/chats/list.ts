import { firstOf, thatFit } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/chats.ts';
import { envelope } from '../../shared/schemas/common.ts';
import { list as heads, sessionOf, total } from '../../shared/store/session-heads.ts';

/** Lists the caller's chats as clients of the first interface ask for them: so many, after skipping so many. */
export const handler = endpoint(list, async ({ query, user }) => {
  const { limit = 50, skip = 0 } = query;
  const listing = heads(user.key, {}, undefined, skip + limit + 1);
  const [found, count] = await Promise.all([firstOf(listing, skip + limit + 1), total(user.key)]);
  const { items: chats } = thatFit(found.slice(skip, skip + limit).map(sessionOf));
  const body = { chats, total: count, limit, skip, has_more: found.length > skip + chats.length };
  return { body: envelope('Chats read', body) };
});
