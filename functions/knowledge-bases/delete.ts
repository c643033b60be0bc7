import { endpoint } from '../../shared/endpoint.ts';
import { remove } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import { erase } from '../../shared/store/erasure.ts';

/** Deletes a knowledge base of the caller, with its file and all that was made of it. */
export const handler = endpoint(remove, async ({ params, query, user }) => {
  const id = params.knowledge_base_id;
  await erase(user.key, id, query.force === 'true');
  return { body: envelope('Knowledge base deleted', { id }) };
});
