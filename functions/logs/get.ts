import { toLogPage } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as sessions from '../../shared/store/sessions/stored-calls.ts';

/** Returns a session of the caller with its logs in order, as many as fit into a page. */
export const handler = endpoint(get, async ({ params, before, user }) => {
  const call = await sessions.get(user.key, params.session_id);
  return {
    body: toEnvelope('Chat logs read', {
      session: { ...call.session, ...call.details },
      ...toLogPage(call, user.key, Number(before ?? 0)),
    }),
  };
});
