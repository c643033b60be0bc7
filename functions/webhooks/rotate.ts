import { generateWebhookSecret, parseWebhookSecret, replaceKey } from '../../shared/domain/signature.ts';
import { toIssuedWebhook, toNextRevision } from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { rotate } from '../../shared/routes/webhooks.ts';
import { openReadableKeys, sealKeys } from '../../shared/store/webhooks/webhook-secrets.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Replaces the secret of a webhook. The old one signs too for the grace period. */
export const handler = jsonEndpoint(rotate, async ({ params, body, user, tell, rememberResult, replay }) => {
  await replay();
  const id = params.webhook_id;
  const { grace_seconds } = body;
  const secret = body.secret ?? generateWebhookSecret();
  const { key, ...secretFacts } = parseWebhookSecret(secret);
  const webhook = await webhooks.update(user.key, id, async (current) => {
    const next = toNextRevision(current, secretFacts);
    const keys = replaceKey(await openReadableKeys(user.key, id, current), key, grace_seconds, Date.now());
    const rotated = tell('webhook.secret_rotated', id, { grace_seconds });
    const remembered = rememberResult(toIssuedWebhook('Secret replaced', next, null));
    return {
      next,
      sealed: { signing_keys: await sealKeys(user.key, id, keys) },
      extraWrites: [rotated, ...remembered],
    };
  });
  return toIssuedWebhook('Secret replaced', webhook, secret);
});
