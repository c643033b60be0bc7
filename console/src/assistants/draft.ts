import type { Assistant } from '../api/types.ts';

/** What of an assistant can be edited, in the order of the form. */
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
] as const;

/** An assistant as it is edited. */
export type Draft = Pick<Assistant, (typeof draftFields)[number]>;

/** The parts that are objects, in which vendors' own settings stand beside those that the service knows. */
export const parts = ['voice', 'llm', 'transcriber', 'knowledge_base', 'transport'] as const;
export type Part = (typeof parts)[number];
export const isPart = (field: string): field is Part => (parts as readonly string[]).includes(field);

/** What the service itself would take for what is not sent; test/unit/console/draft.test.ts compares. */
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
};

/** What of an assistant can be edited, without the rest. */
export const draftOf = (assistant: Draft): Draft =>
  Object.fromEntries(draftFields.map((field) => [field, assistant[field]])) as Draft;

/** The settings of a part that the service knows by name. The others are a vendor's own. */
export const knownSettings = (part: Part): string[] => Object.keys(emptyDraft[part]);
