import { endpoint } from '../../shared/endpoint.ts';
import { remove } from '../../shared/routes/assistants.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';

/** Deletes an assistant of the caller. Its logs stay. */
export const handler = endpoint(remove, async ({ params, ifMatch, user }) => {
  const id = params.assistant_id;
  await assistants.remove(user.key, id, ifMatch);
  return { body: envelope('Assistant deleted', { id }) };
});
