import * as v from 'valibot';
import { route } from '../route.ts';
import { Deleted, EmptyBody, Envelope } from '../schemas/common.ts';
import {
  DeliveriesQuery,
  Delivery,
  DeliveryPath,
  NewWebhook,
  OneWebhook,
  Replay,
  Requested,
  SecretRotation,
  Webhook,
  WebhookPath,
  WebhookUpdate,
  WebhookWithSecret,
} from '../schemas/webhook.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'webhooks/create',
  method: 'POST',
  path: '/webhooks',
  scope: 'webhooks',
  summary: 'Create a webhook',
  description:
    'From now on, each event of the named types is sent to `url` until it answers 2xx, signed as Standard Webhooks has it. ' +
    '`events` names types (`call.completed`), all types of a subject (`call.*`) or all (`*`, which leaves out `credential.leased`). ' +
    'Without `secret`, one is made. It is returned only once, and is null in a response that is repeated for an `Idempotency-Key`. ' +
    'A user has at most 20 webhooks.',
  body: NewWebhook,
  returns: WebhookWithSecret,
  secret: true,
  etag: true,
  creates: true,
  errors: ['Conflict'],
  tells: ['webhook.created'],
  needs: {
    rows: { webhooks: ['PutItem', 'UpdateItem'], once: ['PutItem'] },
    secrets: { webhooks: ['Encrypt'] },
    outboundRules: true,
  },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'webhooks/list',
  method: 'GET',
  path: '/webhooks',
  scope: 'read',
  summary: 'List your webhooks, newest first',
  description: 'With their health, and without their secrets and the values of their headers.',
  returns: Envelope(v.object({ webhooks: v.array(Webhook) })),
  errors: [],
  needs: { rows: { webhooks: ['Query'] } },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'webhooks/get',
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  scope: 'read',
  summary: 'Read one of your webhooks',
  params: WebhookPath,
  returns: OneWebhook,
  etag: true,
  errors: ['NotFound'],
  needs: { rows: { webhooks: ['GetItem'] } },
}));

export const update = /* @__PURE__ */ route(() => ({
  id: 'webhooks/update',
  method: 'PUT',
  path: '/webhooks/{webhook_id}',
  scope: 'webhooks',
  summary: 'Change some fields of a webhook',
  description:
    'Absent fields stay as they are. `headers` is replaced whole. `enabled: true` forgets former failures. ' +
    'With `If-Match`, only the revision that you read is changed.',
  params: WebhookPath,
  body: WebhookUpdate,
  returns: OneWebhook,
  etag: true,
  conditional: 'if-match',
  errors: ['NotFound', 'Conflict', 'PreconditionFailed'],
  tells: ['webhook.updated'],
  needs: {
    rows: { webhooks: ['GetItem', 'UpdateItem'] },
    secrets: { webhooks: ['Encrypt'] },
    outboundRules: true,
  },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'webhooks/delete',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  scope: 'webhooks',
  summary: 'Delete a webhook',
  description: 'What was not delivered yet is not sent any more.',
  params: WebhookPath,
  returns: Deleted,
  conditional: 'if-match',
  errors: ['NotFound', 'PreconditionFailed'],
  tells: ['webhook.deleted'],
  needs: { rows: { webhooks: ['DeleteItem', 'UpdateItem'] } },
}));

export const rotate = /* @__PURE__ */ route(() => ({
  id: 'webhooks/rotate',
  method: 'POST',
  path: '/webhooks/{webhook_id}/secret',
  scope: 'webhooks',
  summary: 'Replace the secret of a webhook',
  description:
    'Deliveries are signed with both secrets for `grace_seconds`, then with the new one alone. ' +
    'Without `secret`, one is made. It is returned only once.',
  params: WebhookPath,
  body: SecretRotation,
  returns: WebhookWithSecret,
  secret: true,
  etag: true,
  errors: ['NotFound', 'Conflict'],
  tells: ['webhook.secret_rotated'],
  needs: {
    rows: { webhooks: ['GetItem', 'UpdateItem'], once: ['GetItem', 'PutItem'] },
    secrets: { webhooks: ['Decrypt', 'Encrypt'] },
  },
}));

export const test = /* @__PURE__ */ route(() => ({
  id: 'webhooks/test',
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  scope: 'webhooks',
  summary: 'Send a test event to a webhook',
  description: 'Sends `webhook.test`, whatever the webhook subscribes to. Its deliveries show what became of it.',
  params: WebhookPath,
  body: EmptyBody,
  returns: Requested,
  errors: ['NotFound', 'Conflict'],
  tells: ['webhook.test'],
  needs: { rows: { webhooks: ['GetItem'], once: ['GetItem', 'PutItem'] } },
}));

export const deliveries = /* @__PURE__ */ route(() => ({
  id: 'webhooks/deliveries',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  scope: 'read',
  summary: 'List the deliveries of a webhook, newest events first',
  description:
    'Each with what was sent, its last ten attempts and the beginning of each answer. A transcript that was sent is left out. ' +
    'Deliveries are kept for 30 days. `next_attempt_at` is null while the receiver rests.',
  params: WebhookPath,
  query: DeliveriesQuery,
  returns: Envelope(v.object({ deliveries: v.array(Delivery), next_cursor: v.nullable(v.string()) })),
  cursor: true,
  errors: ['NotFound'],
  needs: { rows: { webhooks: ['GetItem'], deliveries: ['Query'], events: ['BatchGetItem'] } },
}));

export const retry = /* @__PURE__ */ route(() => ({
  id: 'webhooks/retry',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{event_id}',
  scope: 'webhooks',
  summary: 'Send an event to a webhook again',
  description: 'Whatever became of it before. It is tried up to ten times, as a new one.',
  params: DeliveryPath,
  body: EmptyBody,
  returns: Requested,
  errors: ['NotFound', 'Conflict'],
  tells: ['webhook.retry_requested'],
  needs: { rows: { webhooks: ['GetItem'], deliveries: ['UpdateItem'], once: ['GetItem', 'PutItem'] } },
}));

export const replay = /* @__PURE__ */ route(() => ({
  id: 'webhooks/replay',
  method: 'POST',
  path: '/webhooks/{webhook_id}/replay',
  scope: 'webhooks',
  summary: 'Send the events of a period to a webhook again',
  description:
    'Sends those that the webhook subscribes to now, also if it did not exist then. `types` selects some of them, ' +
    '`only_failed` those whose delivery has failed. Receivers recognize a repeated event by its id.',
  params: WebhookPath,
  body: Replay,
  returns: Requested,
  errors: ['NotFound', 'Conflict'],
  tells: ['webhook.replay_requested'],
  needs: { rows: { webhooks: ['GetItem'], deliveries: ['PutItem'], once: ['GetItem', 'PutItem'] } },
}));
