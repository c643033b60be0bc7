import { toWebhookResult } from '../../shared/domain/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/webhooks.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Returns a webhook of the caller, without its secret. */
export const handler = endpoint(get, async ({ params, user }) =>
  toWebhookResult('Webhook read', await webhooks.get(user.key, params.webhook_id)),
);
