import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { ApiKey, IssuedApiKey, NewApiKey, Rotation } from '../schemas/api-key.ts';
import {
  Assistant,
  AssistantUpdate,
  AttachedKnowledgeBase,
  LanguageConfig,
  NewAssistant,
} from '../schemas/assistant.ts';
import { Deleted, Reason } from '../schemas/common.ts';
import { Credential, NewCredential } from '../schemas/credential.ts';
import {
  FoundPassage,
  KnowledgeBase,
  NewDocument,
  NewUpload,
  Search,
  ShownKnowledgeBase,
  UploadForm,
} from '../schemas/knowledge-base.ts';
import { Log } from '../schemas/log.ts';
import { LeasedCredential, RuntimeConfig } from '../schemas/runtime-config.ts';
import { CallLog, Session } from '../schemas/session.ts';
import { fieldNotes } from './catalogue.ts';
import { ErrorBody } from './errors.ts';

const subObjectNames = {
  voice: 'Voice',
  llm: 'Llm',
  transcriber: 'Transcriber',
  knowledge_base: 'KnowledgeBase',
  transport: 'Transport',
} as const;

type SubObjects = Record<keyof typeof subObjectNames, v.GenericSchema | { wrapped: v.GenericSchema }>;

/** The schemas of an assistant's sub-objects, by name; `pattern` is the name with `*` for the sub-object's own. */
const subObjects = (pattern: string, entries: SubObjects) =>
  Object.fromEntries(
    Object.entries(subObjectNames).map(([field, name]) => {
      const entry = entries[field as keyof SubObjects];
      return [pattern.replace('*', name), 'wrapped' in entry ? entry.wrapped : entry];
    }),
  );

/** The schemas that have a name in the document: as a client sends them … */
export const sent: Record<string, v.GenericSchema> = {
  NewAssistant,
  ...subObjects('New*', NewAssistant.entries),
  AssistantUpdate,
  ...subObjects('*Update', AssistantUpdate.entries),
  NewCredential,
  CallLog,
  NewApiKey,
  Rotation,
  NewDocument,
  NewUpload,
  Search,
};

/** … and as the service shows them. */
export const shown: Record<string, v.GenericSchema> = {
  Assistant,
  ...subObjects('*', Assistant.entries),
  AttachedKnowledgeBase,
  LanguageConfig,
  Credential,
  ApiKey,
  IssuedApiKey,
  RuntimeConfig,
  LeasedCredential,
  Reason,
  KnowledgeBaseRecord: KnowledgeBase, // `KnowledgeBase` is the sub-object of an assistant
  ShownKnowledgeBase,
  UploadForm,
  FoundPassage,
  Session,
  Log,
  Deleted,
  Error: ErrorBody,
};

/** The bounds of our own rules (`rule` in schemas/common.ts) in the words of JSON Schema. */
const bounds: Record<string, (requirement: never) => JsonSchema> = {
  string_too_short: (minLength: number) => ({ minLength }),
  string_too_long: (maxLength: number) => ({ maxLength }),
  string_blank: (minLength: number) => ({ minLength, pattern: '\\S' }),
  trim: () => ({ pattern: '\\S' }), // something must be left
  bytes_too_long: (max: number) => ({ description: `At most ${max.toLocaleString('en')} bytes.` }),
  uuid_parsing: (format: string) => ({ format }),
  service_type: (pattern: string) => ({ pattern }),
  datetime_parsing: (format: string) => ({ format }),
  url_parsing: (format: string) => ({ format }),
  float_parsing: (pattern: string) => ({ pattern }),
  enum: (values: readonly string[]) => ({ enum: [...values] }),
  datetime_future: () => ({}),
  int_type: () => ({ type: 'integer' }),
  too_short: (minItems: number) => ({ minItems }),
  too_long: (maxItems: number) => ({ maxItems }),
  language_code: (pattern: string) => ({ pattern, maxLength: 35 }),
  int_parsing: () => ({ type: 'integer' }),
  greater_than_equal: (minimum: number) => ({ minimum }),
  less_than_equal: (maximum: number) => ({ maximum }),
};

/** An object with what is to be said of its fields. Open objects say that they keep what they do not name. */
function described({ properties = {}, required = [], ...object }: JsonSchema, open: boolean): JsonSchema {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const note = fieldNotes[name];
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

/** `string | null` in the short form. */
function nullable({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  const [inner] = anyOf as [JsonSchema];
  if (!inner.type || inner.enum) return undefined; // an enum would have to name null
  return { ...inner, ...rest, type: [...new Set([inner.type, 'null'].flat())] as JsonSchema['type'] };
}

/** What JSON Schema has no word for, and this does not translate, makes the conversion throw. */
const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  ignoreActions: ['to_lower_case', 'transform'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction({ valibotAction, jsonSchema }) {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
    const bound = bounds[type]?.(requirement as never);
    return bound && { ...jsonSchema, ...bound };
  },
  overrideSchema({ valibotSchema: { type }, jsonSchema }) {
    if (type === 'object' || type === 'loose_object') return described(jsonSchema, type === 'loose_object');
    if (type === 'custom') return { type: 'string', format: 'binary' }; // a file
    if (type === 'nullable' || type === 'nullish') return nullable(jsonSchema);
    return undefined;
  },
};

export function convert(schema: v.GenericSchema, config: ConversionConfig): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...conversion, ...config });
  return converted;
}

/** All schemas that have a name. */
export const namedSchemas = () => ({
  ...toJsonSchemaDefs(sent, { ...conversion, typeMode: 'input' }),
  ...toJsonSchemaDefs(shown, { ...conversion, typeMode: 'output' }),
});
