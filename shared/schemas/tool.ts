import * as v from 'valibot';
import { define } from '../define.ts';
import { Integer, List, maxCharacters, minCharacters, Name, object, openObject, record, rule, Text } from './common.ts';
import { ServiceType } from './credential.ts';
import { ExtraHeaders, isExtraHeader, OutboundUrl } from './outbound.ts';

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/** Name of a tool, as every vendor of language models accepts it. */
const ToolName = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('tool_name', toolName.source, 'Input should be 1 to 64 letters, digits, - and _', (text: string) =>
      toolName.test(text),
    ),
  ),
);

/** Description of a tool for the model: when to call it. */
const Purpose = /* @__PURE__ */ define(() => v.pipe(v.string(), minCharacters(1), maxCharacters(1_024)));

/** One of a few words. */
const Choice = <const T extends string>(...allowed: T[]) =>
  v.pipe(
    v.string(),
    rule('enum', allowed, `Input should be ${allowed.join(', ')}`, (text: string) => allowed.includes(text as T)),
    v.transform((text) => text as T),
  );

/** JSON Schema of a tool's arguments. Checked by shared/domain/tools/parameters.ts. */
export const Parameters = /* @__PURE__ */ define(() =>
  v.pipe(
    openObject({}),
    rule(
      'parameters',
      { properties: { type: { const: 'object' } }, required: ['type'] },
      'Input should be a JSON Schema of type object',
      (schema: Record<string, unknown>) => schema.type === 'object',
    ),
  ),
);

const noParameters = { type: 'object' } as const;

/** Stored credential that authorizes a request, and the header for its key. */
export const CredentialReference = /* @__PURE__ */ define(() =>
  object({
    service_type: ServiceType,
    name: v.optional(v.nullable(Name(128)), null),
    header: v.optional(
      v.pipe(
        v.string(),
        rule(
          'header_name',
          '^[A-Za-z0-9-]{1,100}$',
          'Input should be the name of a header that neither the service nor the connection sets',
          (text: string) => /^[A-Za-z0-9-]{1,100}$/.test(text) && isExtraHeader(text),
        ),
      ),
      'authorization',
    ),
    prefix: v.optional(
      v.pipe(
        v.string(),
        rule(
          'header_value',
          '^[\\x20-\\x7e]{0,50}$',
          'Input should be up to 50 printable ASCII characters',
          (text: string) => /^[\x20-\x7e]{0,50}$/.test(text),
        ),
      ),
      'Bearer ',
    ),
  }),
);
export type CredentialReference = v.InferOutput<typeof CredentialReference>;

/** Request that an `http` tool makes. */
export const ToolRequest = /* @__PURE__ */ define(() =>
  object({
    method: v.optional(Choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'GET'),
    url: OutboundUrl('https://api.example.com/orders/{order_id}'),
    query: v.optional(record(Text(1_000)), {}),
    headers: v.optional(ExtraHeaders, {}),
    timeout_seconds: v.optional(Integer(1, 10), 10),
    credential: v.optional(v.nullable(CredentialReference), null),
  }),
);
export type ToolRequest = v.InferOutput<typeof ToolRequest>;

/** Sentences that the assistant says while a tool runs, and if it fails. */
export const ToolSpeech = /* @__PURE__ */ define(() =>
  object({
    start: v.optional(v.nullable(Text(1_000)), null),
    failure: v.optional(v.nullable(Text(1_000)), null),
  }),
);
export type ToolSpeech = v.InferOutput<typeof ToolSpeech>;

const say = /* @__PURE__ */ define(() => v.optional(ToolSpeech, {}));

/** Searches the attached knowledge bases. */
export const SearchTool = /* @__PURE__ */ define(() =>
  object({
    type: v.literal('search'),
    name: v.optional(ToolName, 'search_knowledge'),
    description: v.optional(Purpose, 'Searches the documents. Call it before you answer a question about facts.'),
    limit: v.optional(Integer(1, 20), 5),
    enabled: v.optional(v.boolean(), true),
    say,
  }),
);

/** Sends a request to an API. */
export const HttpTool = /* @__PURE__ */ define(() =>
  object({
    type: v.literal('http'),
    name: ToolName,
    description: Purpose,
    parameters: v.optional(Parameters, noParameters),
    http: ToolRequest,
    say,
  }),
);

export type HttpTool = v.InferOutput<typeof HttpTool>;

/** Runs code of the worker. */
export const ClientTool = /* @__PURE__ */ define(() =>
  object({
    type: v.literal('client'),
    name: ToolName,
    description: Purpose,
    parameters: v.optional(Parameters, noParameters),
    say,
  }),
);

/** Somewhere a call can be transferred to, and when. */
export const Destination = /* @__PURE__ */ define(() => object({ to: Name(256), when: Text(500, 1) }));

export type Destination = v.InferOutput<typeof Destination>;

/** Transfers the call. */
export const TransferTool = /* @__PURE__ */ define(() =>
  object({
    type: v.literal('transfer'),
    name: v.optional(ToolName, 'transfer_call'),
    description: v.optional(Purpose, 'Transfers the call.'),
    destinations: v.pipe(
      List(Destination, 20),
      rule('too_short', 1, 'Input should have at least 1 item', (items: Destination[]) => items.length > 0),
    ),
    say,
  }),
);

/** Hangs up. */
export const EndCallTool = /* @__PURE__ */ define(() =>
  object({
    type: v.literal('end_call'),
    name: v.optional(ToolName, 'end_call'),
    description: v.optional(Purpose, 'Ends the call. Call it after you have said good-bye.'),
    say,
  }),
);

export const Tool = /* @__PURE__ */ define(() =>
  v.variant('type', [SearchTool, HttpTool, ClientTool, TransferTool, EndCallTool]),
);
export type Tool = v.InferOutput<typeof Tool>;

/** Server of the Model Context Protocol. The worker offers its tools to the model. */
export const McpServer = /* @__PURE__ */ define(() =>
  object({
    name: ToolName,
    url: OutboundUrl('https://mcp.example.com/mcp'),
    transport: v.optional(Choice('streamable_http', 'sse'), 'streamable_http'),
    allowed_tools: v.optional(
      v.nullable(
        v.pipe(
          List(Text(128, 1), 100),
          rule('too_short', 1, 'Input should have at least 1 item', (names: string[]) => names.length > 0),
        ),
      ),
      null,
    ),
    credential: v.optional(v.nullable(CredentialReference), null),
  }),
);
export type McpServer = v.InferOutput<typeof McpServer>;

/** Value that a prompt takes from each call. */
export const Variable = /* @__PURE__ */ define(() =>
  object({
    default: v.optional(v.nullable(Text(2_000)), null),
    description: v.optional(v.nullable(Text(500)), null),
    required: v.optional(v.boolean(), false),
  }),
);

const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const builtInNames = ['now', 'date', 'time', 'weekday', 'year', 'call', 'assistant'];
const maxVariables = 100;

type Variable = v.InferOutput<typeof Variable>;

/** Variables of an assistant by name. Null: its texts are no templates. */
export const Variables = /* @__PURE__ */ define(() =>
  v.pipe(
    record(Variable),
    rule(
      'variables',
      { maxProperties: maxVariables, propertyNames: { pattern: variableName.source } },
      'Input should have at most 100 variables, named by letters, digits and _, none of which is built in: now, date, time, weekday, year, call, assistant',
      (variables: Record<string, Variable>) => {
        const names = Object.keys(variables);
        return (
          names.length <= maxVariables && names.every((name) => variableName.test(name) && !builtInNames.includes(name))
        );
      },
    ),
  ),
);
export type Variables = v.InferOutput<typeof Variables>;

/** Time zone of the IANA database. */
export const TimeZone = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('timezone', 'time-zone', 'Input should be a time zone such as Europe/Berlin', (name: string) =>
      isTimeZone(name),
    ),
  ),
);

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true; // without loading ICU
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const maxToolBytes = 96 * 1024;

export const Tools = /* @__PURE__ */ define(() =>
  v.pipe(
    List(Tool, 64),
    rule(
      'bytes_too_long',
      maxToolBytes,
      'Input should have at most 98,304 bytes as JSON',
      (tools: Tool[]) => Buffer.byteLength(JSON.stringify(tools)) <= maxToolBytes,
    ),
  ),
);
export const McpServers = /* @__PURE__ */ define(() => List(McpServer, 16));
