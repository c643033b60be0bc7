import { endpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Deletes an assistant of the caller, but not its logs. */
export const handler = endpoint(remove, async ({ params, ifMatch, user }) => {
  const id = params.assistant_id;
  await assistants.remove(user.key, id, ifMatch);
  return { body: toEnvelope('Assistant deleted', { id }) };
});
