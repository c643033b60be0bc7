import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Deletes a webhook of the caller. */
export const handler = writeEndpoint(remove, async ({ params, ifMatch, user, tell }) => {
  const id = params.webhook_id;
  await webhooks.remove(user.key, id, ifMatch, [tell('webhook.deleted', id, {})]);
  return { body: toEnvelope('Webhook deleted', { id }) };
});
