import * as v from 'valibot';
import { define } from './define.ts';
import { Uuid } from './schemas/common.ts';

const text = /* @__PURE__ */ define(() => v.nullable(v.string()));
const ids = /* @__PURE__ */ define(() => v.array(Uuid));

const document = /* @__PURE__ */ define(() => ({ name: v.string(), file_name: v.string() }));

const call = /* @__PURE__ */ define(() =>
  v.object({
    assistant_id: Uuid,
    room_name: v.string(),
    participant_name: text,
    session_duration: v.nullable(v.number()),
    message_count: v.number(),
    end_reason: text,
    started_at: text,
    ended_at: text,
    assistant_version: v.nullable(v.number()),
    latency_ms: v.nullable(v.number()),
    cost: v.nullable(v.number()),
  }),
);

const credential = /* @__PURE__ */ define(() => v.object({ service_type: v.string(), name: v.string() }));
const apiKey = /* @__PURE__ */ define(() => v.object({ name: v.string(), scopes: v.array(v.string()) }));
const webhook = /* @__PURE__ */ define(() => v.object({ origin: v.string() }));

/** Reasons of the service to disable a webhook: its receiver has failed for days, or has answered that it is gone. */
export const disabledReasons = ['failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/**
 * Types of events, each with its `data`. The part before the dot is the type of the event's subject. Data never holds a secret, a
 * prompt or a transcript.
 */
export const eventTypes = /* @__PURE__ */ define(() => ({
  'assistant.created': v.object({ name: v.string(), revision: v.number(), knowledge_base_ids: ids }),
  'assistant.updated': v.object({ name: v.string(), revision: v.number(), changed: v.array(v.string()) }),
  'assistant.deleted': v.object({}),
  'assistant.published': v.object({ version: v.number(), revision: v.number() }),
  'assistant.live_changed': v.object({
    versions: v.array(v.object({ version: v.number(), weight: v.number() })),
  }),
  'assistant.version_deleted': v.object({ version: v.number() }),
  'knowledge_base.created': v.object({ ...document, assistant_ids: ids }),
  'knowledge_base.ready': v.object({ ...document, chunk_count: v.number(), assistant_ids: ids }),
  'knowledge_base.failed': v.object({ ...document, status_reason: v.string() }),
  'knowledge_base.deleted': v.object({ ...document, assistant_ids: ids }),
  'knowledge_base.attached': v.object({ assistant_id: Uuid }),
  'knowledge_base.detached': v.object({ assistant_id: Uuid }),
  'call.completed': call,
  'call.updated': call,
  'call.deleted': v.object({ assistant_id: Uuid, room_name: v.string() }),
  'completion.done': v.object({
    assistant_id: Uuid,
    assistant_version: v.nullable(v.number()),
    session_id: v.nullable(Uuid),
    provider: v.string(),
    model: v.string(),
    finish_reason: v.string(),
    steps: v.number(),
    tool_calls: v.number(),
    input_tokens: v.number(),
    output_tokens: v.number(),
    duration_ms: v.number(),
  }),
  'job.created': v.object({ requests: v.number() }),
  'job.done': v.object({ succeeded: v.number(), failed: v.number() }),
  'prices.saved': v.object({ currency: v.string(), prices: v.number() }),
  'credential.saved': credential,
  'credential.deleted': credential,
  'credential.leased': v.object({
    assistant_id: Uuid,
    roles: v.array(v.object({ role: v.string(), credential_id: v.nullable(Uuid), outcome: v.string() })),
  }),
  'api_key.created': apiKey,
  'api_key.rotated': v.object({ ...apiKey.entries, replacement_id: Uuid }),
  'api_key.revoked': v.object({}),
  'webhook.created': webhook,
  'webhook.updated': v.object({ ...webhook.entries, changed: v.array(v.string()) }),
  'webhook.deleted': v.object({}),
  'webhook.secret_rotated': v.object({ grace_seconds: v.number() }),
  'webhook.disabled': v.object({ ...webhook.entries, reason: v.picklist(disabledReasons) }),
  'webhook.test': v.object({}),
  'webhook.retry_requested': v.object({ event_id: Uuid }),
  'webhook.replay_requested': v.object({
    from: v.string(),
    to: v.string(),
    types: v.array(v.string()),
    only_failed: v.boolean(),
  }),
}));

/** Events that make the service send something to a webhook. No webhook can subscribe to them. */
export const requestTypes: readonly string[] = ['webhook.test', 'webhook.retry_requested', 'webhook.replay_requested'];

/** Types of events that follow from others. Webhooks and the event bus get them; the journal does not hold them. */
export const derivedEventTypes = /* @__PURE__ */ define(() => ({
  'search.updated': v.object({ assistant_ids: ids, knowledge_base_id: Uuid, reason: v.string() }),
}));

type EventTypes = typeof eventTypes;
export type EventType = keyof EventTypes;
export type EventData<T extends EventType> = v.InferOutput<EventTypes[T]>;
