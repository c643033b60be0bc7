import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { detach } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Detaches a knowledge base from an assistant of the caller, without deleting it. */
export const handler = writeEndpoint(detach, async ({ params, user, tell }) => {
  const { assistant_id, knowledge_base_id } = params;
  const detached = tell('knowledge_base.detached', knowledge_base_id, { assistant_id });
  await attachments.detach(user.key, assistant_id, knowledge_base_id, [detached]);
  return { body: toEnvelope('Knowledge base detached', params) };
});
