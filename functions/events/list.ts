import { toCursor } from '../../shared/domain/cursor.ts';
import { getPageSize, isWanted } from '../../shared/domain/event.ts';
import { readPage } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/events.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as journal from '../../shared/store/journal.ts';

/**
 * Age at which no earlier event can follow, in milliseconds. An event gets its id before its transaction, which ends
 * within the 15 seconds of a function.
 */
const settledMs = 20_000;

/** Lists the caller's events after a known one, oldest first. */
export const handler = endpoint(list, async ({ query, before, user }) => {
  const { limit, after, settled } = query;
  const listing = journal.list(user.key, {
    to: settled === 'true' ? Date.now() - settledMs : undefined,
    ascending: true,
    after: before ?? after,
    pageSize: getPageSize(query),
  });
  const { items: events, last } = await readPage(listing, {
    limit,
    keep: (event) => isWanted(event, query),
    show: (event) => event,
  });
  const next_cursor = last ? toCursor(user.key, list.id, last.id) : null;
  return { body: toEnvelope('Events read', { events, next_cursor }) };
});
