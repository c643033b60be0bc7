import { toCursor } from '../../shared/domain/cursor.ts';
import { toPublicKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { readPage } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases/knowledge-bases.ts';

/** Lists the caller's knowledge bases, newest first. */
export const handler = endpoint(list, async ({ query: { limit }, before, user }) => {
  const listing = knowledgeBases.list(user.key, before, limit && limit + 1);
  const { items: knowledge_bases, last } = await readPage(listing, { limit, show: toPublicKnowledgeBase });
  const next_cursor = last ? toCursor(user.key, list.id, last.id) : null;
  return { body: toEnvelope('Knowledge bases read', { knowledge_bases, next_cursor }) };
});
