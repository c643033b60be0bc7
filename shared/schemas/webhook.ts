import * as v from 'valibot';
import { define } from '../define.ts';
import { derivedEventTypes, eventTypes, requestTypes } from '../events.ts';
import {
  Envelope,
  Integer,
  maxCharacters,
  minCharacters,
  object,
  QueryInteger,
  rule,
  Text,
  Timestamp,
  TimestampInput,
  Uuid,
} from './common.ts';
import { ExtraHeaders, OutboundUrl } from './outbound.ts';

/** Types that webhooks can subscribe to. */
const deliverableTypes = /* @__PURE__ */ define(() =>
  [...Object.keys(eventTypes), ...Object.keys(derivedEventTypes)].filter((type) => !requestTypes.includes(type)),
);

/** Patterns that webhooks can subscribe to: a type, all types of a subject, or all. */
export const subscriptions = /* @__PURE__ */ define((): string[] => [
  '*',
  ...new Set(deliverableTypes.map((type) => `${type.split('.', 1)[0]}.*`)),
  ...deliverableTypes,
]);

/** List of `min` to `max` distinct values of a set. */
const choices = (allowed: readonly string[], message: string, min: number, max: number) =>
  v.pipe(
    v.array(
      v.pipe(
        v.string(),
        rule('enum', allowed, message, (text: string) => allowed.includes(text)),
      ),
    ),
    rule('too_short', min, `Input should have at least ${min} item`, (items: string[]) => items.length >= min),
    rule('too_long', max, `Input should have at most ${max} items`, (items: string[]) => items.length <= max),
    v.transform((items) => [...new Set(items)]),
  );

const Subscriptions = /* @__PURE__ */ define(() =>
  choices(
    subscriptions,
    'Input should be a type of events, such as call.completed, all types of a subject, such as call.*, or *',
    1,
    50,
  ),
);

const Inclusions = /* @__PURE__ */ define(() => choices(['transcript'], 'Input should be transcript', 0, 1));

const Secret = /* @__PURE__ */ define(() => v.pipe(v.string(), minCharacters(16), maxCharacters(256)));

const Url = /* @__PURE__ */ define(() => OutboundUrl('https://example.com/hook'));

export const NewWebhook = /* @__PURE__ */ define(() =>
  object({
    url: Url,
    events: Subscriptions,
    secret: v.nullish(Secret),
    description: v.nullish(Text(500)),
    include: v.optional(Inclusions, []),
    headers: v.optional(ExtraHeaders, {}),
  }),
);
export type NewWebhook = v.InferOutput<typeof NewWebhook>;

export const WebhookUpdate = /* @__PURE__ */ define(() =>
  object({
    url: v.optional(Url),
    events: v.optional(Subscriptions),
    description: v.nullish(Text(500)),
    include: v.optional(Inclusions),
    headers: v.optional(ExtraHeaders),
    enabled: v.optional(v.boolean()),
  }),
);
export type WebhookUpdate = v.InferOutput<typeof WebhookUpdate>;

export const SecretRotation = /* @__PURE__ */ define(() =>
  object({ secret: v.nullish(Secret), grace_seconds: v.optional(Integer(0, 604_800), 86_400) }),
);

export const Replay = /* @__PURE__ */ define(() =>
  object({
    from: TimestampInput,
    to: v.nullish(TimestampInput),
    types: v.optional(Subscriptions, ['*']),
    only_failed: v.optional(v.boolean(), false),
  }),
);
export type Replay = v.InferOutput<typeof Replay>;

/** Last failed attempt. `status` is null if no answer came; `error` is null if one came. */
export const WebhookFailure = /* @__PURE__ */ define(() =>
  v.object({ at: Timestamp, status: v.nullable(v.number()), error: v.nullable(v.string()) }),
);
export type WebhookFailure = v.InferOutput<typeof WebhookFailure>;

export const WebhookHealth = /* @__PURE__ */ define(() =>
  v.object({
    status: v.picklist(['healthy', 'failing', 'resting', 'disabled']),
    failing_since: v.nullable(Timestamp),
    consecutive_failures: v.number(),
    next_probe_at: v.nullable(Timestamp),
    last_failure: v.nullable(WebhookFailure),
  }),
);

export const Webhook = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    url: v.string(),
    description: v.nullable(v.string()),
    events: v.array(v.string()),
    include: v.array(v.string()),
    headers: v.array(v.string()),
    enabled: v.boolean(),
    disabled_reason: v.nullable(v.string()),
    masked_secret: v.string(),
    secret_encoding: v.picklist(['base64', 'utf8']),
    health: WebhookHealth,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type Webhook = v.InferOutput<typeof Webhook>;

/** Response with one webhook. */
export const OneWebhook = /* @__PURE__ */ define(() => Envelope(Webhook));

/** Webhook with its secret, which only the response that creates or rotates it contains. */
export const WebhookWithSecret = /* @__PURE__ */ define(() =>
  Envelope(v.object({ ...Webhook.entries, secret: v.nullable(v.string()) })),
);

/** One attempt to deliver an event. `answer` is the beginning of the receiver's answer. */
const Attempt = /* @__PURE__ */ define(() =>
  v.object({
    at: Timestamp,
    duration_ms: v.number(),
    status: v.nullable(v.number()),
    error: v.nullable(v.string()),
    answer: v.nullable(v.string()),
  }),
);
export type Attempt = v.InferOutput<typeof Attempt>;

export const Delivery = /* @__PURE__ */ define(() =>
  v.object({
    event_id: Uuid,
    type: v.string(),
    status: v.picklist(['pending', 'delivered', 'failed']),
    reason: v.nullable(v.string()),
    attempts: v.number(),
    next_attempt_at: v.nullable(Timestamp),
    history: v.array(Attempt),
    delivered_at: v.nullable(Timestamp),
    created_at: Timestamp,
    payload: v.nullable(v.looseObject({})),
  }),
);
export type Delivery = v.InferOutput<typeof Delivery>;

export const DeliveriesQuery = /* @__PURE__ */ define(() =>
  v.object({
    status: v.optional(v.picklist(['pending', 'delivered', 'failed'], 'Input should be pending, delivered or failed')),
    limit: v.optional(QueryInteger(1, 100), '20'),
    cursor: v.optional(v.string()),
  }),
);

export const WebhookPath = /* @__PURE__ */ define(() => v.object({ webhook_id: Uuid }));
export const DeliveryPath = /* @__PURE__ */ define(() => v.object({ webhook_id: Uuid, event_id: Uuid }));

/** Id of the event that a request has written, which the deliveries show. */
export const Requested = /* @__PURE__ */ define(() => Envelope(v.object({ event_id: Uuid })));
