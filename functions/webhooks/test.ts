import { checkEnabled } from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { test } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as journal from '../../shared/store/journal.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Requests a test event for a webhook. `relay` has it delivered. */
export const handler = jsonEndpoint(test, async ({ params, user, tell, rememberResult, replay }) => {
  await replay();
  const id = params.webhook_id;
  checkEnabled(await webhooks.get(user.key, id));
  const event = tell('webhook.test', id, {});
  const result = { body: toEnvelope('Test event requested', { event_id: event.eventId }) };
  await journal.append(event, rememberResult(result));
  return result;
});
