import * as v from 'valibot';
import { define } from '../define.ts';
import { Assistant } from './assistant.ts';
import { Reason, Timestamp } from './common.ts';

/** A key as a worker hands it to the vendor. */
export const LeasedCredential = /* @__PURE__ */ define(() =>
  v.object({ service_type: v.string(), name: v.string(), api_key: v.string() }),
);

const forEach = <S extends v.GenericSchema>(schema: S) =>
  v.object({ voice: v.nullable(schema), llm: v.nullable(schema), transcriber: v.nullable(schema) });

/** All that a worker needs to take a call. */
export const RuntimeConfig = /* @__PURE__ */ define(() =>
  v.object({
    assistant: Assistant,
    credentials: forEach(LeasedCredential),
    reasons: forEach(Reason),
    expires_at: Timestamp,
  }),
);
export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;
