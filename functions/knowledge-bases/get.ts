import { toPublicKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases/knowledge-bases.ts';

/** Returns the record of a knowledge base of the caller. */
export const handler = endpoint(get, async ({ params, user }) => {
  const knowledgeBase = await knowledgeBases.get(user.key, params.knowledge_base_id);
  return { body: toEnvelope('Knowledge base read', toPublicKnowledgeBase(knowledgeBase)) };
});
