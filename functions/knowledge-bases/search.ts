import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { search } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import { createSearch } from '../../shared/store/knowledge-bases/passages.ts';

/** Searches the knowledge bases attached to an assistant of the caller. Returns the best passages first. */
export const handler = jsonEndpoint(search, async ({ params, body, user }) => {
  const { attachments } = await assistants.get(user.key, params.assistant_id);
  const passages = await createSearch(user.key, Object.keys(attachments))(body.query, body.limit);
  return { body: toEnvelope('Passages found', { passages }) };
});
