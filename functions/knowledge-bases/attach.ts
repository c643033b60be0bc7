import { endpoint } from '../../shared/endpoint.ts';
import { attach } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as attachments from '../../shared/store/attachments.ts';

/** Attaches a knowledge base of the caller to an assistant of the caller. */
export const handler = endpoint(attach, async ({ params, user }) => {
  const { assistant_id, knowledge_base_id } = params;
  const attached_at = await attachments.attach(user.key, assistant_id, knowledge_base_id);
  return { body: envelope('Knowledge base attached', { assistant_id, knowledge_base_id, attached_at }) };
});
