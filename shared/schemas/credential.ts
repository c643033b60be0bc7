import * as v from 'valibot';
import { define } from '../define.ts';
import { maxBytes, maxCharacters, minCharacters, Name, object, rule, Timestamp, Uuid } from './common.ts';

const slug = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

export const isServiceType = (text: string): boolean => slug.test(text);

/** A third-party service: any slug, since vendors appear monthly. Capitals are taken as small letters. */
export const ServiceType = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    v.toLowerCase(),
    rule(
      'service_type',
      slug.source,
      'Use 1 to 64 letters, digits, "_", "." and "-", the first a letter or digit',
      isServiceType,
    ),
  ),
);

const CredentialName = /* @__PURE__ */ define(() => Name(128));

/** What KMS encrypts in one call: a key, or a service account in JSON. */
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
