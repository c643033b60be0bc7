import * as v from 'valibot';
import { define } from '../define.ts';
import { openObject, Timestamp, Uuid } from './common.ts';

/** Any JSON as the worker sent it; null if it sent none. */
const AnyJson = /* @__PURE__ */ define(() => v.unknown());

/** Item of a transcript in the common format of all vendors. Absent values are null. */
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
    arguments: AnyJson,
    output: AnyJson,
    is_error: v.nullable(v.boolean()),
    raw: openObject({}),
  }),
);
export type Log = v.InferOutput<typeof Log>;
