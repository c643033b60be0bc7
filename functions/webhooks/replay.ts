import { toReplayData } from '../../shared/domain/delivery.ts';
import { checkEnabled } from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { replay } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { eventDays } from '../../shared/store/journal.ts';
import * as deliveries from '../../shared/store/webhooks/deliveries.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Requests that the events of a period are sent to a webhook again. `relay` starts it. */
export const handler = jsonEndpoint(replay, async (request) => {
  const { params, body, user, tell, rememberResult } = request;
  await request.replay();
  const id = params.webhook_id;
  const data = toReplayData(body, eventDays);
  checkEnabled(await webhooks.get(user.key, id));
  const requested = tell('webhook.replay_requested', id, data);
  const result = { body: toEnvelope('Replay requested', { event_id: requested.eventId }) };
  await deliveries.requestReplay(user.key, id, requested.eventId, [requested, ...rememberResult(result)]);
  return result;
});
