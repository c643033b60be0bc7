import * as v from 'valibot';
import { define } from '../define.ts';
import { openObject, Timestamp, Uuid } from './common.ts';

/** Any JSON, as the worker sent it; null where it sent none. */
const AsSent = /* @__PURE__ */ define(() => v.unknown());

/** One item of a transcript, in one shape whichever vendor's worker sent it. What is absent is null. */
export const Log = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    index: v.pipe(v.number(), v.integer(), v.minValue(0)),
    type: v.picklist(['message', 'function_call', 'function_call_output', 'event']),
    role: v.picklist(['system', 'user', 'assistant', 'tool', 'other']),
    content: v.nullable(v.string()),
    timestamp: v.nullable(Timestamp),
    offset_seconds: v.nullable(v.number()),
    interrupted: v.nullable(v.boolean()),
    name: v.nullable(v.string()),
    call_id: v.nullable(v.string()),
    arguments: AsSent,
    output: AsSent,
    is_error: v.nullable(v.boolean()),
    raw: openObject({}),
  }),
);
export type Log = v.InferOutput<typeof Log>;
