import { callOf, identityOf, newSessionId } from '../../shared/domain/session.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { create } from '../../shared/routes/logs.ts';
import { envelope } from '../../shared/schemas/common.ts';
import type { Session } from '../../shared/schemas/session.ts';
import * as assistants from '../../shared/store/assistants.ts';
import { keptSince } from '../../shared/store/retention.ts';
import * as sessions from '../../shared/store/sessions.ts';

const answer = (session: Session) => ({
  body: envelope('Call log saved', { id: session.session_id, ...session }),
  created: `/logs/chat-logs/${session.session_id}`,
});

/** Saves a call. The same call is saved once: by its `Idempotency-Key`, else by what tells it from others. */
export const handler = jsonEndpoint(create, async ({ body, user, isKeyed, once }) => {
  const name = await assistants.nameForLogs(user.key, body.assistant_id);
  const session = await sessions.save(user.key, {
    identity: isKeyed ? undefined : identityOf(body),
    items: body.transcript,
    newId: newSessionId(body, keptSince()),
    callUnder: (session_id, { assistant_name = null, created_at }) =>
      callOf(body, { session_id, assistant_name: name ?? assistant_name, created_at }),
    also: (saved) => once(answer(saved)),
  });
  return answer(session);
});
