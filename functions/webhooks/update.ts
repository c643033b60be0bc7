import { checkPrecondition } from '../../shared/domain/etag.ts';
import {
  applyWebhookUpdate,
  listChangedWebhookFields,
  toOrigin,
  toWebhookResult,
} from '../../shared/domain/webhook.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import { update } from '../../shared/routes/webhooks.ts';
import { sealHeaders } from '../../shared/store/webhooks/webhook-secrets.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Updates the fields in the body. Without `If-Match`, concurrent updates of different fields are all kept. */
export const handler = jsonEndpoint(update, async ({ params, body, ifMatch, user, tell }) => {
  checkUrl(body.url, 'body', 'url');
  const id = params.webhook_id;
  const webhook = await webhooks.update(user.key, id, async (current) => {
    checkPrecondition(ifMatch, current.revision);
    const next = applyWebhookUpdate(current, body);
    if (next === current) return undefined;
    const hasNewHeaders = body.headers !== undefined || next.header_names.length < current.header_names.length;
    const sealed = hasNewHeaders ? { sealed_headers: await sealHeaders(user.key, id, body.headers ?? {}) } : {};
    const changed = new Set([...listChangedWebhookFields(current, next), ...(body.headers ? ['headers'] : [])]);
    const updated = tell('webhook.updated', id, { origin: toOrigin(next), changed: [...changed] });
    return { next, sealed, extraWrites: [updated] };
  });
  return toWebhookResult('Webhook updated', webhook);
});
