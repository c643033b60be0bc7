import { createSessionId, findCallIdentity, toCallData, toNewCall } from '../../shared/domain/session.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/logs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import type { Session } from '../../shared/schemas/session.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as sessions from '../../shared/store/sessions/sessions.ts';
import { getRetentionStart } from '../../shared/store/table/retention.ts';

const toResult = (session: Session) => ({
  body: toEnvelope('Call log saved', { id: session.session_id, ...session }),
  created: `/logs/chat-logs/${session.session_id}`,
});

/** Saves a call log. Recognizes a repeated call by its `Idempotency-Key`, else by its identity. */
export const handler = jsonEndpoint(create, async ({ body, user, hasIdempotencyKey, tell, rememberResult }) => {
  const { name, prices } = await assistants.getForLogs(user.key, body.assistant_id);
  const now = Date.now();
  const session = await sessions.save(user.key, {
    identity: hasIdempotencyKey ? undefined : findCallIdentity(body),
    items: body.transcript,
    newId: createSessionId(body, getRetentionStart(), now),
    savedAt: new Date(now).toISOString(),
    toCall: (session_id, { assistant_name = null, created_at }) =>
      toNewCall(body, prices, { session_id, assistant_name: name ?? assistant_name, created_at }),
    buildExtraWrites: (saved, isLonger) => [
      tell(isLonger ? 'call.updated' : 'call.completed', saved.session_id, toCallData(saved)),
      ...rememberResult(toResult(saved)),
    ],
  });
  return toResult(session);
});
