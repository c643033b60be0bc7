import * as v from 'valibot';
import { define } from '../define.ts';
import { maxBytes, maxCharacters, minCharacters, Name, object, rule, Timestamp, Uuid } from './common.ts';

const slugPattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

export const isServiceType = (text: string): boolean => slugPattern.test(text);

/** Third-party service, in lower case. Any slug is accepted, because new vendors appear monthly. */
export const ServiceType = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    v.toLowerCase(),
    rule(
      'service_type',
      slugPattern.source,
      'Use 1 to 64 letters, digits, "_", "." and "-", the first a letter or digit',
      isServiceType,
    ),
  ),
);

const CredentialName = /* @__PURE__ */ define(() => Name(128));

/** Vendor key, or a service account in JSON. KMS encrypts at most 4 KB in one call. */
const ApiKey = /* @__PURE__ */ define(() => v.pipe(v.string(), v.trim(), minCharacters(1), maxBytes(4_096)));

export const NewCredential = /* @__PURE__ */ define(() =>
  object({ service_type: ServiceType, api_key: ApiKey, name: v.nullish(CredentialName) }),
);
export type NewCredential = v.InferOutput<typeof NewCredential>;

export const Credential = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    service_type: v.string(),
    name: v.string(),
    masked_key: v.pipe(v.string(), maxCharacters(12)),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);
export type Credential = v.InferOutput<typeof Credential>;

export const CredentialPath = /* @__PURE__ */ define(() => v.object({ service_type: ServiceType }));
export const CredentialQuery = /* @__PURE__ */ define(() => v.object({ name: v.optional(CredentialName) }));
