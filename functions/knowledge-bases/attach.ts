import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { attach } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Attaches a knowledge base to an assistant, both of the caller. */
export const handler = writeEndpoint(attach, async ({ params, user, tell }) => {
  const { assistant_id, knowledge_base_id } = params;
  const attached = tell('knowledge_base.attached', knowledge_base_id, { assistant_id });
  const attached_at = await attachments.attach(user.key, assistant_id, knowledge_base_id, [attached]);
  return { body: toEnvelope('Knowledge base attached', { assistant_id, knowledge_base_id, attached_at }) };
});
