import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as sessions from '../../shared/store/sessions/sessions.ts';

/** Deletes a session of the caller, with its transcript. */
export const handler = writeEndpoint(remove, async ({ params, user, tell }) => {
  const id = await sessions.remove(user.key, params.session_id, ({ session_id, assistant_id, room_name }) => [
    tell('call.deleted', session_id, { assistant_id, room_name }),
  ]);
  return { body: toEnvelope('Session deleted', { id }) };
});
