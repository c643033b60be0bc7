import { endpoint } from '../../shared/endpoint.ts';
import { detach } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as attachments from '../../shared/store/attachments.ts';

/** Detaches a knowledge base from an assistant of the caller. It stays. */
export const handler = endpoint(detach, async ({ params, user }) => {
  await attachments.detach(user.key, params.assistant_id, params.knowledge_base_id);
  return { body: envelope('Knowledge base detached', params) };
});
