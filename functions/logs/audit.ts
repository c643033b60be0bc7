import { toCursor } from '../../shared/domain/cursor.ts';
import { getPageSize, isWanted, parseTimes } from '../../shared/domain/event.ts';
import { readPage } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { audit } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as journal from '../../shared/store/journal.ts';

/** Lists the caller's events, newest first. */
export const handler = endpoint(audit, async ({ query, before, user }) => {
  const { limit } = query;
  const range = { ...parseTimes(query), after: before, pageSize: getPageSize(query) };
  const { items: events, last } = await readPage(journal.list(user.key, range), {
    limit,
    keep: (event) => isWanted(event, query),
    show: (event) => event,
  });
  const next_cursor = last ? toCursor(user.key, audit.id, last.id) : null;
  return { body: toEnvelope('Events read', { events, next_cursor }) };
});
