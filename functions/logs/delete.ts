import { endpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as sessions from '../../shared/store/sessions/sessions.ts';

/** Deletes a session of the caller, with its transcript. */
export const handler = endpoint(remove, async ({ params, user }) => ({
  body: toEnvelope('Session deleted', { id: await sessions.remove(user.key, params.session_id) }),
}));
