import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Deletes an assistant of the caller, but not its logs. */
export const handler = writeEndpoint(remove, async ({ params, ifMatch, user, tell }) => {
  const id = params.assistant_id;
  await assistants.remove(user.key, id, ifMatch, [tell('assistant.deleted', id, {})]);
  return { body: toEnvelope('Assistant deleted', { id }) };
});
