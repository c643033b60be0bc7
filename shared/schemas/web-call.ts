import * as v from 'valibot';
import { define } from '../define.ts';
import { Integer, object, rule, Text, Timestamp } from './common.ts';
import { VariableValues } from './runtime-config.ts';
import { VersionReference } from './version.ts';

/** Maximum size of the variables as JSON. They are part of the token, which servers take only in a short address. */
const maxVariableBytes = 4_096;

/** A call that a browser is about to join. */
export const NewWebCall = /* @__PURE__ */ define(() =>
  object({
    participant_name: v.nullish(Text(128)),
    variables: v.optional(
      v.pipe(
        VariableValues,
        rule(
          'variables_too_long',
          maxVariableBytes,
          'Input should have at most 4,096 bytes as JSON',
          (values: Record<string, string>) => Buffer.byteLength(JSON.stringify(values)) <= maxVariableBytes,
        ),
      ),
      {},
    ),
    version: v.optional(VersionReference, 'live'),
    ttl_seconds: v.optional(Integer(60, 3_600), 600),
  }),
);
export type NewWebCall = v.InferOutput<typeof NewWebCall>;

/** Everything that a browser needs to join a call. */
export const WebCall = /* @__PURE__ */ define(() =>
  v.object({
    url: v.string(),
    room_name: v.string(),
    token: v.string(),
    agent_name: v.string(),
    expires_at: Timestamp,
  }),
);
export type WebCall = v.InferOutput<typeof WebCall>;
