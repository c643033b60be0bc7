import { toCursor } from '../../shared/domain/cursor.ts';
import { readPage } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/credentials.ts';
import * as credentials from '../../shared/store/credentials/credentials.ts';

/** Lists the caller's credentials with masked keys. Has no permission to decrypt them. */
export const handler = endpoint(list, async ({ query: { limit }, before, user }) => {
  const listing = credentials.list(user.key, before, limit && limit + 1);
  const { items, last } = await readPage(listing, { limit, show: (credential) => credential });
  return { body: items, next: last && toCursor(user.key, list.id, `${last.service_type}#${last.name}`) };
});
