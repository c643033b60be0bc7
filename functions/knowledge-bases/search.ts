import { jsonEndpoint } from '../../shared/endpoint.ts';
import { search } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import { passagesFor } from '../../shared/store/passages.ts';

/** Finds passages in what is attached to an assistant of the caller, the best of all first. */
export const handler = jsonEndpoint(search, async ({ params, body, user }) => {
  const { attachments } = await assistants.get(user.key, params.assistant_id);
  const passages = await passagesFor(user.key, Object.keys(attachments), body.query, body.limit);
  return { body: envelope('Passages found', { passages }) };
});
