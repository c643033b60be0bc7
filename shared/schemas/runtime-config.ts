import * as v from 'valibot';
import { define } from '../define.ts';
import { Assistant } from './assistant.ts';
import { Reason, Timestamp } from './common.ts';

/** Vendor key in plain text, for the worker. */
export const LeasedCredential = /* @__PURE__ */ define(() =>
  v.object({ service_type: v.string(), name: v.string(), api_key: v.string() }),
);

const PerVendor = <S extends v.GenericSchema>(schema: S) =>
  v.object({ voice: v.nullable(schema), llm: v.nullable(schema), transcriber: v.nullable(schema) });

/** Everything that a worker needs to take a call. */
export const RuntimeConfig = /* @__PURE__ */ define(() =>
  v.object({
    assistant: Assistant,
    credentials: PerVendor(LeasedCredential),
    reasons: PerVendor(Reason),
    expires_at: Timestamp,
  }),
);
export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;
