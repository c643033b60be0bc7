import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Route } from '../route.ts';
import * as apiKeySchemas from '../schemas/api-key.ts';
import * as assistantSchemas from '../schemas/assistant.ts';
import * as chatSchemas from '../schemas/chat.ts';
import { Deleted, EmptyBody, Reason } from '../schemas/common.ts';
import * as credentialSchemas from '../schemas/credential.ts';
import { EventPage, JournalEvent } from '../schemas/event.ts';
import * as jobSchemas from '../schemas/job.ts';
import * as knowledgeBaseSchemas from '../schemas/knowledge-base.ts';
import * as liveSchemas from '../schemas/live.ts';
import { Log } from '../schemas/log.ts';
import * as mcpSchemas from '../schemas/mcp.ts';
import * as runtimeSchemas from '../schemas/runtime-config.ts';
import * as searchSchemas from '../schemas/search.ts';
import * as sessionSchemas from '../schemas/session.ts';
import * as toolSchemas from '../schemas/tool.ts';
import * as usageSchemas from '../schemas/usage.ts';
import * as versionSchemas from '../schemas/version.ts';
import * as visionSchemas from '../schemas/vision.ts';
import * as webCallSchemas from '../schemas/web-call.ts';
import * as webhookSchemas from '../schemas/webhook.ts';
import { fieldNotes } from './descriptions.ts';
import { ErrorBody } from './errors.ts';

const subObjectNames = {
  voice: 'Voice',
  llm: 'Llm',
  transcriber: 'Transcriber',
  knowledge_base: 'KnowledgeBase',
  transport: 'Transport',
} as const;

type SubObjects = Record<keyof typeof subObjectNames, v.GenericSchema | { wrapped: v.GenericSchema }>;

/** Returns the schemas of an assistant's sub-objects by name. `*` in `pattern` is replaced by the name of each sub-object. */
const buildSubObjectSchemas = (pattern: string, entries: SubObjects) =>
  Object.fromEntries(
    Object.entries(subObjectNames).map(([field, name]) => {
      const entry = entries[field as keyof SubObjects];
      return [pattern.replace('*', name), 'wrapped' in entry ? entry.wrapped : entry];
    }),
  );

/** Parts of an assistant's tools, the same in requests and responses. */
const toolParts: Record<string, v.GenericSchema> = {
  Parameters: toolSchemas.Parameters,
  CredentialReference: toolSchemas.CredentialReference,
  ToolRequest: toolSchemas.ToolRequest,
  ToolSpeech: toolSchemas.ToolSpeech,
  SearchTool: toolSchemas.SearchTool,
  HttpTool: toolSchemas.HttpTool,
  ClientTool: toolSchemas.ClientTool,
  TransferTool: toolSchemas.TransferTool,
  Destination: toolSchemas.Destination,
  EndCallTool: toolSchemas.EndCallTool,
  McpServer: toolSchemas.McpServer,
  Variable: toolSchemas.Variable,
};

const { ApiKey, IssuedApiKey, KeyQuota } = apiKeySchemas;
const { Assistant, AssistantUpdate, AttachedKnowledgeBase, LanguageConfig, NewAssistant } = assistantSchemas;
const { FoundPassage, KnowledgeBase, ShownKnowledgeBase, UploadForm } = knowledgeBaseSchemas;
const { Credential } = credentialSchemas;
const { Session } = sessionSchemas;
const { Delivery, OneWebhook, Requested, Webhook, WebhookFailure, WebhookHealth, WebhookWithSecret } = webhookSchemas;

const exportedSchemas: Record<string, unknown> = {
  ...apiKeySchemas,
  ...assistantSchemas,
  ...chatSchemas,
  ...credentialSchemas,
  ...jobSchemas,
  ...knowledgeBaseSchemas,
  ...runtimeSchemas,
  ...searchSchemas,
  ...sessionSchemas,
  ...liveSchemas,
  ...mcpSchemas,
  ...versionSchemas,
  ...usageSchemas,
  ...visionSchemas,
  ...webCallSchemas,
  ...webhookSchemas,
};

/** Returns the named schemas of requests: the bodies of routes, by the names of their exports, and the parts of assistants. */
export function nameRequestSchemas(routes: readonly Route[]): Record<string, v.GenericSchema> {
  const bodies = new Set<unknown>(routes.map(({ body }) => body));
  // Sorted, because module loaders order the exports of a module differently.
  const names = Object.keys(exportedSchemas)
    .filter((name) => bodies.has(exportedSchemas[name]))
    .sort();
  return {
    ...(Object.fromEntries(names.map((name) => [name, exportedSchemas[name]])) as object),
    EmptyBody,
    Price: usageSchemas.Price,
    ChatRequest: chatSchemas.ChatRequest,
    CallFacts: runtimeSchemas.CallFacts,
    SearchFilters: searchSchemas.SearchFilters,
    ...toolParts,
    ...buildSubObjectSchemas('New*', NewAssistant.entries),
    ...buildSubObjectSchemas('*Update', AssistantUpdate.entries),
  };
}

/** Named schemas of the document for responses. */
export const responseSchemas: Record<string, v.GenericSchema> = {
  Assistant,
  ...buildSubObjectSchemas('*', Assistant.entries),
  AttachedKnowledgeBase,
  LanguageConfig,
  Credential,
  ApiKey,
  IssuedApiKey,
  KeyQuota,
  RuntimeConfig: runtimeSchemas.RuntimeConfig,
  OneRuntimeConfig: runtimeSchemas.OneRuntimeConfig,
  LeasedCredential: runtimeSchemas.LeasedCredential,
  RenderedTexts: runtimeSchemas.RenderedTexts,
  CallTool: runtimeSchemas.CallTool,
  LeasedRequest: runtimeSchemas.LeasedRequest,
  ModelFunction: runtimeSchemas.ModelFunction,
  LeasedMcpServer: runtimeSchemas.LeasedMcpServer,
  ToolAnswer: runtimeSchemas.ToolAnswer,
  ...toolParts,
  Reason,
  KnowledgeBaseRecord: KnowledgeBase, // the name `KnowledgeBase` belongs to the sub-object of an assistant
  ShownKnowledgeBase,
  UploadForm,
  FoundPassage,
  Citation: searchSchemas.Citation,
  CitedAnswer: searchSchemas.CitedAnswer,
  ChatCompletion: chatSchemas.ChatCompletion,
  ChatFacts: chatSchemas.ChatFacts,
  ToolResult: chatSchemas.ToolResult,
  Job: jobSchemas.Job,
  OneJob: jobSchemas.OneJob,
  WebCall: webCallSchemas.WebCall,
  McpAnswer: mcpSchemas.McpAnswer,
  Session,
  Log,
  Event: JournalEvent,
  EventPage,
  Webhook,
  WebhookHealth,
  WebhookFailure,
  OneWebhook,
  WebhookWithSecret,
  Delivery,
  Requested,
  Live: liveSchemas.Live,
  OneLive: liveSchemas.OneLive,
  Version: versionSchemas.Version,
  OneVersion: versionSchemas.OneVersion,
  VersionContent: versionSchemas.VersionContent,
  Change: versionSchemas.Change,
  Prices: usageSchemas.Prices,
  Price: usageSchemas.Price,
  SavedPrices: usageSchemas.SavedPrices,
  Percentiles: usageSchemas.Percentiles,
  Latency: usageSchemas.Latency,
  Tokens: usageSchemas.Tokens,
  Stats: usageSchemas.Stats,
  Analytics: usageSchemas.Analytics,
  Deleted,
  Error: ErrorBody,
};

/** JSON Schema keywords for the checks made by `rule` in schemas/common.ts, by fault type. */
const ruleBounds: Record<string, (requirement: never) => JsonSchema> = {
  string_too_short: (minLength: number) => ({ minLength }),
  string_too_long: (maxLength: number) => ({ maxLength }),
  string_blank: (minLength: number) => ({ minLength, pattern: '\\S' }),
  trim: () => ({ pattern: '\\S' }), // must not be empty after trimming
  bytes_too_long: (max: number) => ({ description: `At most ${max.toLocaleString('en')} bytes.` }),
  uuid_parsing: (format: string) => ({ format }),
  weights: () => ({}),
  duplicate_version: () => ({}),
  version: (pattern: string) => ({ pattern }),
  assistant_model: (pattern: string) => ({ pattern }),
  service_type: (pattern: string) => ({ pattern }),
  datetime_parsing: (format: string) => ({ format }),
  url_parsing: (format: string) => ({ format }),
  float_parsing: (pattern: string) => ({ pattern }),
  enum: (values: readonly string[]) => ({ enum: [...values] }),
  datetime_future: () => ({}),
  image: (pattern: string) => ({ pattern }),
  not_unique: () => ({}),
  int_type: () => ({ type: 'integer' }),
  too_short: (minItems: number) => ({ minItems }),
  too_long: (maxItems: number) => ({ maxItems }),
  headers: (bounds: JsonSchema) => bounds,
  prices: (bounds: JsonSchema) => bounds,
  parameters: (bounds: JsonSchema) => bounds,
  variables: (bounds: JsonSchema) => bounds,
  variable_values: (bounds: JsonSchema) => bounds,
  variables_too_long: (max: number) => ({ description: `At most ${max.toLocaleString('en')} bytes as JSON.` }),
  timezone: (format: string) => ({ format }),
  tool_name: (pattern: string) => ({ pattern }),
  tool_groups: (pattern: string) => ({ pattern }),
  header_name: (pattern: string) => ({ pattern }),
  currency: (pattern: string) => ({ pattern }),
  date_parsing: (format: string) => ({ format }),
  header_value: (pattern: string) => ({ pattern }),
  language_code: (pattern: string) => ({ pattern, maxLength: 35 }),
  int_parsing: () => ({ type: 'integer' }),
  greater_than_equal: (minimum: number) => ({ minimum }),
  less_than_equal: (maximum: number) => ({ maximum }),
};

/** Adds descriptions to the fields of an object schema. Open objects get a note that other keys are kept. */
function describeFields({ properties = {}, required = [], ...object }: JsonSchema, open: boolean): JsonSchema {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const note = field.title ? undefined : fieldNotes[name]; // a field with a title describes itself
    const description = [note?.description, field.description].filter(Boolean).join(' ');
    return [name, { ...field, ...note, ...(description && { description }) }];
  });
  return {
    ...object,
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
    ...(required.length > 0 && { required }),
    ...(open && { additionalProperties: true }),
    ...(open && fields.length > 0 && { description: "Other keys are vendors' own settings: kept, returned as sent." }),
  };
}

/** Returns the short form of a nullable schema: `type: [string, null]` instead of `anyOf`. */
function toNullable({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  const [inner] = anyOf as [JsonSchema];
  if (!inner.type || inner.enum) return undefined; // the enum would need null as a value
  return { ...inner, ...rest, type: [...new Set([inner.type, 'null'].flat())] as JsonSchema['type'] };
}

/** Settings of the conversion. It throws on schemas that neither JSON Schema nor these settings can express. */
const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['to_lower_case', 'transform'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction({ valibotAction, jsonSchema }) {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
    const bound = ruleBounds[type]?.(requirement as never);
    return bound && { ...jsonSchema, ...bound };
  },
  overrideSchema({ valibotSchema: { type }, jsonSchema }) {
    if (/^(?:object|(?:loose|strict)_object)$/.test(type)) return describeFields(jsonSchema, type === 'loose_object');
    if (type === 'custom') return { type: 'string', format: 'binary' }; // a file
    if (type === 'nullable' || type === 'nullish') return toNullable(jsonSchema);
    return undefined;
  },
};

export function convertSchema(schema: v.GenericSchema, config: ConversionConfig): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...conversion, ...config });
  return converted;
}

/** Returns the JSON Schemas of all named schemas. */
export const buildNamedSchemas = (requestSchemas: Record<string, v.GenericSchema>) => ({
  ...toJsonSchemaDefs(requestSchemas, { ...conversion, typeMode: 'input' }),
  ...toJsonSchemaDefs(responseSchemas, { ...conversion, typeMode: 'output' }),
});
