import { endpoint } from '../../shared/http/endpoint.ts';
import { detach } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Detaches a knowledge base from an assistant of the caller, without deleting it. */
export const handler = endpoint(detach, async ({ params, user }) => {
  await attachments.detach(user.key, params.assistant_id, params.knowledge_base_id);
  return { body: toEnvelope('Knowledge base detached', params) };
});
