import * as v from 'valibot';
import { define } from '../define.ts';
import { object, openObject, rule, Text } from './common.ts';

/** Request of the Model Context Protocol, or a notification, which has no `id`. */
export const McpMessage = /* @__PURE__ */ define(() =>
  object({
    jsonrpc: v.literal('2.0'),
    method: Text(200, 1),
    id: v.optional(v.union([v.string(), v.pipe(v.number(), v.integer())])),
    params: v.optional(openObject({})),
  }),
);
export type McpMessage = v.InferOutput<typeof McpMessage>;

const groupsPattern = /^[a-z-]{1,40}(,[a-z-]{1,40}){0,39}$/;

export const McpQuery = /* @__PURE__ */ define(() =>
  v.object({
    tools: v.optional(
      v.pipe(
        v.string(),
        rule('tool_groups', groupsPattern.source, 'Name groups of tools: assistants,logs', (text: string) =>
          groupsPattern.test(text),
        ),
      ),
    ),
  }),
);

/** Answer to a request: JSON-RPC, with a result or an error. */
export const McpAnswer = /* @__PURE__ */ define(() =>
  v.object({
    jsonrpc: v.literal('2.0'),
    id: v.nullish(v.union([v.string(), v.number()])),
    result: v.optional(v.looseObject({})),
    error: v.optional(v.looseObject({ code: v.number(), message: v.string() })),
  }),
);
