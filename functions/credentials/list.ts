import { toCursor } from '../../shared/domain/cursor.ts';
import { pageOf } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/credentials.ts';
import * as credentials from '../../shared/store/credentials.ts';

/** Lists the caller's credentials, their keys masked. It has no right to decrypt them. */
export const handler = endpoint(list, async ({ query: { limit }, before, user }) => {
  const listing = credentials.list(user.key, before, limit && limit + 1);
  const { items, last } = await pageOf(listing, { limit, show: (credential) => credential });
  return { body: items, next: last && toCursor(user.key, list.id, `${last.service_type}#${last.name}`) };
});
