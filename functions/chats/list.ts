import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/chats.ts';
import { envelope } from '../../shared/schemas/common.ts';
import { list as heads, sessionOf, total } from '../../shared/store/session-heads.ts';

/** Lists the caller's chats as clients of the first interface ask for them: so many, after skipping so many. */
export const handler = endpoint(list, async ({ query, user }) => {
  const { limit = 50, skip = 0 } = query;
  const counting = total(user.key);
  const found = await firstOf(heads(user.key, {}, undefined, skip + limit + 1), skip + limit + 1);
  const chats = found.slice(skip, skip + limit).map(sessionOf);
  const body = { chats, total: await counting, limit, skip, has_more: found.length > skip + limit };
  return { body: envelope('Chats read', body) };
});

async function firstOf<T>(listing: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of listing) if (found.push(item) === count) break;
  return found;
}
