import { toDocumentData } from '../../shared/domain/knowledge-base.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { erase } from '../../shared/store/knowledge-bases/erasure.ts';

/** Deletes a knowledge base of the caller, with its file and search index. */
export const handler = writeEndpoint(remove, async ({ params, query, user, tell }) => {
  const id = params.knowledge_base_id;
  await erase(user.key, id, query.force === 'true', (knowledgeBase) => [
    tell('knowledge_base.deleted', id, toDocumentData(knowledgeBase)),
  ]);
  return { body: toEnvelope('Knowledge base deleted', { id }) };
});
