import { logsOf } from '../../shared/domain/session.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { get } from '../../shared/routes/logs.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as sessions from '../../shared/store/session-calls.ts';

/** Reads one session of the caller with its logs, in the order in which they were sent: all, or as many as fit. */
export const handler = endpoint(get, async ({ params, before, user }) => {
  const call = await sessions.get(user.key, params.session_id);
  return {
    body: envelope('Chat logs read', {
      session: { ...call.session, ...call.details },
      ...logsOf(call, user.key, Number(before ?? 0)),
    }),
  };
});
