import * as v from 'valibot';
import { define } from '../define.ts';
import { maxQuotaLimit, type QuotaLimits, quotas } from '../quotas.ts';
import { type Scope, scopes } from '../scopes.ts';
import { parseTimestamp } from '../timestamp.ts';
import { Envelope, Integer, Name, object, rule, strictObject, Timestamp, TimestampInput, Uuid } from './common.ts';

const KeyName = /* @__PURE__ */ define(() => Name(128));

const KeyScope = /* @__PURE__ */ define(
  () =>
    v.pipe(
      v.string(),
      rule('enum', scopes, `Input should be one of: ${scopes.join(', ')}`, (s: string) =>
        (scopes as readonly string[]).includes(s),
      ),
    ) as v.GenericSchema<Scope>,
);

const KeyScopes = /* @__PURE__ */ define(() =>
  v.pipe(
    v.array(KeyScope),
    rule('too_short', 1, 'Input should have at least 1 item', (items: Scope[]) => items.length > 0),
    rule('too_long', 100, 'Input should have at most 100 items', (items: Scope[]) => items.length <= 100),
  ),
);

const FutureTimestamp = /* @__PURE__ */ define(() =>
  v.pipe(
    TimestampInput,
    rule(
      'datetime_future',
      null,
      'Input should be in the future',
      (moment: string) => (parseTimestamp(moment) ?? 0) > Date.now(),
    ),
  ),
);

const DailyLimit = /* @__PURE__ */ define(() => v.optional(Integer(0, maxQuotaLimit)));

/** Limits of a key per UTC day, by quota. */
export const KeyQuota = /* @__PURE__ */ define(
  () => strictObject(Object.fromEntries(quotas.map((quota) => [quota, DailyLimit]))) as v.GenericSchema<QuotaLimits>,
);

export const NewApiKey = /* @__PURE__ */ define(() =>
  object({ name: KeyName, scopes: KeyScopes, expires_at: v.nullish(FutureTimestamp), quota: v.nullish(KeyQuota) }),
);
export type NewApiKey = v.InferOutput<typeof NewApiKey>;

export const Rotation = /* @__PURE__ */ define(() =>
  object({
    id: Uuid,
    grace_seconds: v.optional(Integer(0, 604_800), 86_400),
  }),
);

export const ApiKey = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    name: KeyName,
    scopes: v.array(KeyScope),
    masked_key: v.string(),
    expires_at: v.nullable(Timestamp),
    last_used_at: v.nullable(Timestamp),
    replaced_by: v.nullable(Uuid),
    quota: v.nullable(KeyQuota),
    created_at: Timestamp,
  }),
);
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** API key with its secret, which only the first response contains. */
export const IssuedApiKey = /* @__PURE__ */ define(() =>
  Envelope(v.object({ ...ApiKey.entries, secret: v.nullable(v.string()) })),
);

export type IssuedApiKey = v.InferOutput<typeof IssuedApiKey>;

export const ApiKeyPath = /* @__PURE__ */ define(() => v.object({ api_key_id: Uuid }));
