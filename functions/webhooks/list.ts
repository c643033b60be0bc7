import { toWebhook } from '../../shared/domain/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Lists the caller's webhooks, newest first, without their secrets. */
export const handler = endpoint(list, async ({ user }) => ({
  body: toEnvelope('Webhooks read', { webhooks: (await webhooks.list(user.key)).map(toWebhook) }),
}));
