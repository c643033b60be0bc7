import * as v from 'valibot';
import { define } from '../define.ts';
import { Assistant } from './assistant.ts';
import { Envelope, object, openObject, Reason, record, rule, Text, Timestamp } from './common.ts';
import { ToolSpeech } from './tool.ts';

/** Vendor key in plain text, for the worker. */
export const LeasedCredential = /* @__PURE__ */ define(() =>
  v.object({ service_type: v.string(), name: v.string(), api_key: v.string() }),
);

const PerVendor = <S extends v.GenericSchema>(schema: S) =>
  v.object({ voice: v.nullable(schema), llm: v.nullable(schema), transcriber: v.nullable(schema) });

/** Facts about a call that are known when it starts. */
export const CallFacts = /* @__PURE__ */ define(() =>
  object({
    room_name: v.nullish(Text(256)),
    participant_name: v.nullish(Text(256)),
    from: v.nullish(Text(256)),
    to: v.nullish(Text(256)),
    direction: v.nullish(Text(256)),
  }),
);
export type CallFacts = v.InferOutput<typeof CallFacts>;

const maxValues = 100;
const maxValueCharacters = 16_384;

/** Values of a call's variables by name. */
export const VariableValues = /* @__PURE__ */ define(() =>
  v.pipe(
    record(Text(2_000)),
    rule(
      'variable_values',
      { maxProperties: maxValues, propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' } },
      'Input should be at most 100 values of 16,384 characters together, named by letters, digits and _',
      (values: Record<string, string>) => {
        const names = Object.keys(values);
        return (
          names.length <= maxValues &&
          names.every((name) => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) &&
          Object.values(values).join('').length <= maxValueCharacters
        );
      },
    ),
  ),
);

export const CallStart = /* @__PURE__ */ define(() =>
  object({ call: v.optional(CallFacts, {}), variables: v.optional(VariableValues, {}) }),
);
export type CallStart = v.InferOutput<typeof CallStart>;

/** Texts of an assistant, with the values of its variables filled in. `missing` names the variables without a value. */
export const RenderedTexts = /* @__PURE__ */ define(() =>
  v.object({
    system_instruction: v.string(),
    first_message: v.nullable(v.string()),
    missing: v.array(v.string()),
  }),
);

/** Request of a tool, with its key in the headers. */
export const LeasedRequest = /* @__PURE__ */ define(() =>
  v.object({
    method: v.string(),
    url: v.string(),
    query: record(v.string()),
    headers: record(v.string()),
    timeout_seconds: v.number(),
  }),
);

/** A tool, ready for a call. */
export const CallTool = /* @__PURE__ */ define(() =>
  v.object({
    type: v.string(),
    name: v.string(),
    description: v.string(),
    parameters: openObject({}),
    say: ToolSpeech,
    limit: v.nullable(v.number()),
    http: v.nullable(LeasedRequest),
    unavailable: v.nullable(Reason),
  }),
);
export type CallTool = v.InferOutput<typeof CallTool>;

/** A tool, as language models take it. */
export const ModelFunction = /* @__PURE__ */ define(() =>
  v.object({
    type: v.literal('function'),
    name: v.string(),
    description: v.string(),
    parameters: openObject({}),
  }),
);

/** An MCP server, with its key in the headers. */
export const LeasedMcpServer = /* @__PURE__ */ define(() =>
  v.object({
    name: v.string(),
    url: v.string(),
    transport: v.string(),
    allowed_tools: v.nullable(v.array(v.string())),
    headers: record(v.string()),
    unavailable: v.nullable(Reason),
  }),
);

/** Everything that a worker needs to take a call. */
export const RuntimeConfig = /* @__PURE__ */ define(() =>
  v.object({
    assistant: Assistant,
    version: v.nullable(v.number()),
    credentials: PerVendor(LeasedCredential),
    reasons: PerVendor(Reason),
    rendered: v.nullable(RenderedTexts),
    tools: v.array(CallTool),
    functions: v.array(ModelFunction),
    mcp_servers: v.array(LeasedMcpServer),
    expires_at: Timestamp,
  }),
);
export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;

export const OneRuntimeConfig = /* @__PURE__ */ define(() => Envelope(RuntimeConfig));

const callId = /^[\x21-\x7e]{1,128}$/;

/** Arguments of a tool, and what its texts need. */
export const ToolCall = /* @__PURE__ */ define(() =>
  object({
    arguments: v.optional(openObject({}), {}),
    call_id: v.nullish(
      v.pipe(
        v.string(),
        rule('header_value', callId.source, 'Input should be up to 128 printable ASCII characters', (text: string) =>
          callId.test(text),
        ),
      ),
    ),
    call: v.optional(CallFacts, {}),
    variables: v.optional(VariableValues, {}),
  }),
);

/** Answer of a tool. `status` is null if none came; `error` then says why. */
export const ToolAnswer = /* @__PURE__ */ define(() =>
  v.object({
    status: v.nullable(v.number()),
    result: v.unknown(),
    error: v.nullable(v.string()),
    truncated: v.boolean(),
    duration_ms: v.number(),
  }),
);
export type ToolAnswer = v.InferOutput<typeof ToolAnswer>;
