import { checkEnabled } from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { retry } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as deliveries from '../../shared/store/webhooks/deliveries.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Requests another delivery of an event. `relay` has it sent. */
export const handler = jsonEndpoint(retry, async ({ params, user, tell, rememberResult, replay }) => {
  await replay();
  const { webhook_id, event_id } = params;
  checkEnabled(await webhooks.get(user.key, webhook_id));
  const requested = tell('webhook.retry_requested', webhook_id, { event_id });
  const result = { body: toEnvelope('Delivery requested', { event_id }) };
  await deliveries.requestRetry(user.key, webhook_id, event_id, [requested, ...rememberResult(result)]);
  return result;
});
