import { toCursor } from '../../shared/domain/cursor.ts';
import { readPage } from '../../shared/domain/page.ts';
import { toLive, toPublicVersion } from '../../shared/domain/versions/versions.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/versions.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Lists the versions of an assistant, newest first, without what they hold. */
export const handler = endpoint(list, async ({ params, query, before, user }) => {
  const id = params.assistant_id;
  const { limit } = query;
  const [{ versions }, { items, last }] = await Promise.all([
    assistants.get(user.key, id),
    readPage(store.list(user.key, id, before, limit + 1), { limit, show: (version) => version }),
  ]);
  const next_cursor = last ? toCursor(user.key, `${list.id} ${id}`, String(last.version)) : null;
  const shown = items.map((one) => toPublicVersion(one, versions));
  return { body: toEnvelope('Versions read', { versions: shown, live: toLive(versions), next_cursor }) };
});
