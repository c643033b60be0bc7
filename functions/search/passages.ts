import { buildTooLarge, checkSearch } from '../../shared/domain/passage-search.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { passages } from '../../shared/routes/search.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { searchKnowledgeBases } from '../../shared/store/knowledge-bases/passages.ts';
import { selectKnowledgeBases } from '../../shared/store/knowledge-bases/selection.ts';

/** Searches knowledge bases of the caller. Returns the best passages first. */
export const handler = jsonEndpoint(passages, async ({ body, user }) => {
  checkSearch(body);
  const selected = await selectKnowledgeBases(user.key, body);
  const found = await searchKnowledgeBases(user.key, selected, body.query, body.limit, () => buildTooLarge(body));
  return { body: toEnvelope('Passages found', found) };
});
