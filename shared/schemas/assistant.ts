import * as v from 'valibot';
import { define } from '../define.ts';
import { LanguageCode, maxBytes, Name, object, openObject, rule, Text, Timestamp, Uuid } from './common.ts';
import { Status } from './knowledge-base.ts';
import { Live } from './live.ts';
import { McpServers, TimeZone, Tools, Variables } from './tool.ts';

/** Settings that only the vendor understands. */
type Vendors = Record<string, unknown>;

/** Name of a vendor or model. Any name is accepted and stored as sent, because new vendors appear monthly. */
const Vendor = /* @__PURE__ */ define(() => Name(128));

const SipConfig = /* @__PURE__ */ define(() =>
  v.pipe(
    openObject({}),
    rule(
      'bytes_too_long',
      16_384,
      'Input should have at most 16,384 bytes as JSON',
      (value: Vendors) => Buffer.byteLength(JSON.stringify(value)) <= 16_384,
    ),
  ),
);

/** Known key of a sub-object, with its default value. */
interface Setting {
  schema: v.GenericSchema<unknown, unknown>;
  standard: unknown;
}

const setting = <S extends Setting['schema']>(schema: S, defaultValue: v.InferOutput<S>) => ({
  schema,
  standard: defaultValue,
});

const voice = /* @__PURE__ */ define(() => ({
  voice_id: setting(v.nullable(Text(256)), null),
  tts_provider: setting(Vendor, 'cartesia'),
  tts_model: setting(Vendor, 'default'),
  language: setting(LanguageCode, 'en'),
}));
const llm = /* @__PURE__ */ define(() => ({
  llm_provider: setting(Vendor, 'openai'),
  model: setting(Vendor, 'gpt-4.1-mini'),
}));
const transcriber = /* @__PURE__ */ define(() => ({
  stt_provider: setting(Vendor, 'deepgram'),
  stt_model: setting(Vendor, 'nova-3'),
  language: setting(LanguageCode, 'en'),
}));
const knowledgeBase = /* @__PURE__ */ define(() => ({
  vectorstore_index: setting(v.nullable(Text(256)), null),
  vectorstore_namespace: setting(v.nullable(Text(256)), null),
}));
const transport = /* @__PURE__ */ define(() => ({
  sip_config: setting(SipConfig, {}),
}));

type Settings = Record<string, Setting>;
type Values<S extends Settings> = { [K in keyof S]: v.InferOutput<S[K]['schema']> };

// Three schemas of the same settings. Each keeps other keys as sent.

/** Returns the schema of a new sub-object: absent keys get their default values. */
const toCreateSchema = <S extends Settings>(settings: S) =>
  v.optional(
    buildSchema(settings, ({ schema, standard }) => v.optional(schema, standard as never)) as v.GenericSchema<
      Partial<Values<S>> & Vendors,
      Values<S> & Vendors
    >,
    {} as never,
  );

/** Returns the schema of an update: absent keys stay unchanged, null resets a key to its default value. */
const toUpdateSchema = <S extends Settings>(settings: S) =>
  v.optional(
    buildSchema(settings, ({ schema }) => v.nullish(schema)) as v.GenericSchema<
      { [K in keyof S]?: Values<S>[K] | null } & Vendors
    >,
  );

/** Returns the schema of a response, which has all keys. */
const toPublicSchema = <S extends Settings>(settings: S) =>
  buildSchema(settings, ({ schema }) => schema) as v.GenericSchema<Values<S> & Vendors>;

const buildSchema = (settings: Settings, toEntry: (setting: Setting) => v.GenericSchema<unknown, unknown>) =>
  openObject(Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, toEntry(setting)])));

const toDefaults = <S extends Settings>(settings: S) =>
  Object.fromEntries(Object.entries(settings).map(([key, { standard }]) => [key, standard])) as Values<S>;

/** Default values of the sub-objects' keys, which null in an update restores. */
export const defaultSettings = /* @__PURE__ */ define(() => ({
  voice: toDefaults(voice),
  llm: toDefaults(llm),
  transcriber: toDefaults(transcriber),
  knowledge_base: toDefaults(knowledgeBase),
  transport: toDefaults(transport),
}));

/** Defaults of the fields about calls: no templates, no tools. */
export const defaultCallSettings = { variables: null, timezone: 'UTC', tools: [], mcp_servers: [] };

/** Maximum lengths, in characters. */
export const maxTextLengths = {
  name: 200,
  description: 2_000,
  system_instruction: 100_000,
  first_message: 10_000,
};

const AssistantName = /* @__PURE__ */ define(() => Name(maxTextLengths.name));
const SystemInstruction = /* @__PURE__ */ define(() =>
  v.pipe(Text(maxTextLengths.system_instruction, 1), maxBytes(204_800)),
);
const Description = /* @__PURE__ */ define(() => Text(maxTextLengths.description));
const FirstMessage = /* @__PURE__ */ define(() => Text(maxTextLengths.first_message));

export const NewAssistant = /* @__PURE__ */ define(() =>
  object({
    name: AssistantName,
    system_instruction: SystemInstruction,
    description: v.optional(v.nullable(Description), null),
    first_message: v.optional(v.nullable(FirstMessage), "Hello! I'm here to help you. How can I assist you today?"),
    voice: toCreateSchema(voice),
    llm: toCreateSchema(llm),
    transcriber: toCreateSchema(transcriber),
    knowledge_base: toCreateSchema(knowledgeBase),
    transport: toCreateSchema(transport),
    variables: v.optional(v.nullable(Variables), null),
    timezone: v.optional(TimeZone, 'UTC'),
    tools: v.optional(Tools, []),
    mcp_servers: v.optional(McpServers, []),
  }),
);
export type NewAssistant = v.InferOutput<typeof NewAssistant>;

export const AssistantUpdate = /* @__PURE__ */ define(() =>
  object({
    name: v.nullish(AssistantName),
    system_instruction: v.nullish(SystemInstruction),
    description: v.nullish(Description),
    first_message: v.nullish(FirstMessage),
    voice: toUpdateSchema(voice),
    llm: toUpdateSchema(llm),
    transcriber: toUpdateSchema(transcriber),
    knowledge_base: toUpdateSchema(knowledgeBase),
    transport: toUpdateSchema(transport),
    variables: v.nullish(Variables),
    timezone: v.nullish(TimeZone),
    tools: v.nullish(Tools),
    mcp_servers: v.nullish(McpServers),
  }),
);
export type AssistantUpdate = v.InferOutput<typeof AssistantUpdate>;

export const AttachedKnowledgeBase = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    name: v.string(),
    file_name: v.string(),
    content_type: v.string(),
    size_bytes: v.number(),
    status: Status,
    attached_at: Timestamp,
  }),
);
export type AttachedKnowledgeBase = v.InferOutput<typeof AttachedKnowledgeBase>;

/** Fields of an assistant that a client may set. Its versions keep all of them. */
export const AssistantContent = /* @__PURE__ */ define(() =>
  v.object({
    name: AssistantName,
    system_instruction: SystemInstruction,
    description: v.nullable(Description),
    first_message: v.nullable(FirstMessage),
    voice: toPublicSchema(voice),
    llm: toPublicSchema(llm),
    transcriber: toPublicSchema(transcriber),
    knowledge_base: toPublicSchema(knowledgeBase),
    transport: toPublicSchema(transport),
    variables: v.nullable(Variables),
    timezone: TimeZone,
    tools: Tools,
    mcp_servers: McpServers,
  }),
);
export type AssistantContent = v.InferOutput<typeof AssistantContent>;

export const Assistant = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    user_id: v.nullable(v.string()),
    ...AssistantContent.entries,
    attached_knowledge_bases: v.array(AttachedKnowledgeBase),
    live: v.nullable(Live),
    has_unpublished_changes: v.boolean(),
    created_at: v.nullable(Timestamp),
    updated_at: v.nullable(Timestamp),
  }),
);
export type Assistant = v.InferOutput<typeof Assistant>;

/** Fields that only the service sets. Ignored silently, so that a client can send back the object that it read. */
export const readOnlyFields = [
  'id',
  'user_id',
  'attached_knowledge_bases',
  'live',
  'has_unpublished_changes',
  'created_at',
  'updated_at',
];

export const LanguageConfig = /* @__PURE__ */ define(() =>
  v.object({
    voice: v.object({
      language: v.string(),
      tts_provider: v.string(),
      tts_model: v.string(),
      voice_id: v.nullable(v.string()),
    }),
    transcriber: v.object({ language: v.string(), stt_provider: v.string(), stt_model: v.string() }),
    is_consistent: v.boolean(),
  }),
);
export type LanguageConfig = v.InferOutput<typeof LanguageConfig>;

export const AssistantId = /* @__PURE__ */ define(() => v.object({ assistant_id: Uuid }));
