import { toPublicAssistant } from '../../shared/domain/assistant.ts';
import { toCursor } from '../../shared/domain/cursor.ts';
import { fold } from '../../shared/domain/fold.ts';
import { readPage } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import { joinAttached } from '../../shared/store/knowledge-bases/attachments.ts';

/** Lists the caller's assistants, newest first, up to the limit or the maximum size of a page. */
export const handler = endpoint(list, async ({ query, before, user }) => {
  const { limit, name } = query;
  // One more than the limit shows if there are more. With a filter, full pages, since many rows may be dropped.
  const pageSize = limit && name === undefined ? limit + 1 : undefined;
  const wantedName = name === undefined ? undefined : fold(name);
  const listing = joinAttached(user.key, assistants.list(user.key, before, pageSize), pageSize);
  const { items, last } = await readPage(listing, {
    limit,
    keep: ({ row }) => wantedName === undefined || fold(row.name).includes(wantedName),
    show: ({ row, attached }) => toPublicAssistant(assistants.fromRow(row), user, attached),
  });
  return { body: items, next: last && toCursor(user.key, list.id, last.row.id) };
});
