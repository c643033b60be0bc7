import type { Assistant } from '../../api/types.ts';

/** Editable fields of an assistant, in the order of the form. */
export const draftFields = [
  'name',
  'description',
  'system_instruction',
  'first_message',
  'voice',
  'llm',
  'transcriber',
  'knowledge_base',
  'transport',
  'variables',
  'timezone',
  'tools',
  'mcp_servers',
] as const;

/** The editable fields of an assistant. */
export type Draft = Pick<Assistant, (typeof draftFields)[number]>;

/** Fields that are objects. They hold a vendor's own settings in addition to the settings that the API knows. */
export const parts = ['voice', 'llm', 'transcriber', 'knowledge_base', 'transport'] as const;
export type Part = (typeof parts)[number];
export const isPart = (field: string): field is Part => (parts as readonly string[]).includes(field);

/** Defaults of the API for fields that are not sent. test/unit/console/draft.test.ts keeps them in step. */
export const emptyDraft: Draft = {
  name: '',
  description: null,
  system_instruction: '',
  first_message: "Hello! I'm here to help you. How can I assist you today?",
  voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
  knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
  transport: { sip_config: {} },
  variables: null,
  timezone: 'UTC',
  tools: [],
  mcp_servers: [],
};

/** Picks the editable fields of an assistant. */
export const toDraft = (assistant: Draft): Draft =>
  Object.fromEntries(draftFields.map((field) => [field, assistant[field]])) as Draft;

/** Lists the settings of a part that the API knows by name. All others belong to the vendor. */
export const listKnownSettings = (part: Part): string[] => Object.keys(emptyDraft[part]);
