import { shown } from '../../shared/domain/assistant.ts';
import { toCursor } from '../../shared/domain/cursor.ts';
import { fold } from '../../shared/domain/fold.ts';
import { pageOf } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import { withAttached } from '../../shared/store/attachments.ts';

/** Lists the caller's assistants, newest first: all of them, or as many as were asked for or fit into an answer. */
export const handler = endpoint(list, async ({ query, before, user }) => {
  const { limit, name } = query;
  // One more than asked for tells whether there are more. A filter reads on, so it takes pages as they come.
  const pageSize = limit && name === undefined ? limit + 1 : undefined;
  const named = name === undefined ? undefined : fold(name);
  const listing = withAttached(user.key, assistants.list(user.key, before, pageSize), pageSize);
  const { items, last } = await pageOf(listing, {
    limit,
    keep: ({ assistant }) => named === undefined || fold(assistant.name).includes(named),
    show: ({ assistant, attached }) => shown(assistant, user, attached),
  });
  return { body: items, next: last && toCursor(user.key, list.id, last.assistant.id) };
});
