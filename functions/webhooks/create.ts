import { generateWebhookSecret, parseWebhookSecret } from '../../shared/domain/signature.ts';
import { buildWebhook, toIssuedWebhook, toOrigin } from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import { create } from '../../shared/routes/webhooks.ts';
import { sealHeaders, sealKeys } from '../../shared/store/webhooks/webhook-secrets.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Creates a webhook of the caller. Only this response contains the secret; a replayed one does not. */
export const handler = jsonEndpoint(create, async ({ body, user, tell, rememberResult }) => {
  checkUrl(body.url, 'body', 'url');
  const secret = body.secret ?? generateWebhookSecret();
  const { key, ...secretFacts } = parseWebhookSecret(secret);
  const webhook = buildWebhook(body, secretFacts);
  const { id } = webhook;
  const [signing_keys, sealed_headers] = await Promise.all([
    sealKeys(user.key, id, [{ key }]),
    sealHeaders(user.key, id, body.headers),
  ]);
  const toResult = (shown: string | null) => ({
    ...toIssuedWebhook('Webhook created', webhook, shown),
    created: `/webhooks/${id}`,
  });
  const created = tell('webhook.created', id, { origin: toOrigin(webhook) });
  await webhooks.insert(user.key, webhook, { signing_keys, sealed_headers }, [
    created,
    ...rememberResult(toResult(null)),
  ]);
  return toResult(secret);
});
