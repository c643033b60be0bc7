import { shownKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { get } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases.ts';

/** Reads the record of one knowledge base of the caller. */
export const handler = endpoint(get, async ({ params, user }) => {
  const knowledgeBase = await knowledgeBases.get(user.key, params.knowledge_base_id);
  return { body: envelope('Knowledge base read', shownKnowledgeBase(knowledgeBase)) };
});
