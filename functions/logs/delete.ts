import { endpoint } from '../../shared/endpoint.ts';
import { remove } from '../../shared/routes/logs.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as sessions from '../../shared/store/sessions.ts';

/** Deletes a session of the caller: its head, its transcript and its file. */
export const handler = endpoint(remove, async ({ params, user }) => ({
  body: envelope('Session deleted', { id: await sessions.remove(user.key, params.session_id) }),
}));
