import { type Assistant, expectSame, type Model } from './model.ts';

/** Assistant in a response: the fields that the model compares. */
export interface PublicAssistant {
  id: string;
  name: string;
  description: string | null;
  voice: Record<string, unknown>;
  attached_knowledge_bases: { id: string; name: string }[];
}

/** Voice of an assistant that was created without one. */
export const defaultVoice: Record<string, unknown> = {
  voice_id: null,
  tts_provider: 'cartesia',
  tts_model: 'default',
  language: 'en',
};

/** Sorts fields by name. */
export const sortFields = (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).sort());

/** Throws if an assistant in a response differs from the model. */
export function expectAssistant(
  shown: PublicAssistant,
  { id, name, description, voice, attached }: Assistant,
  documents: Model['documents'],
): void {
  const { attached_knowledge_bases, ...rest } = shown;
  const fields = { id: rest.id, name: rest.name, description: rest.description, voice: sortFields(rest.voice) };
  expectSame('the assistant', fields, { id, name, description, voice: sortFields(voice) });
  expectSame(
    'its knowledge bases',
    sortFields(Object.fromEntries(attached_knowledge_bases.map((one) => [one.id, one.name]))),
    sortFields(Object.fromEntries([...attached].map((one) => [one, documents.get(one)]))),
  );
}

/** Makes the current ETag a former one. */
export function markChanged(assistant: Assistant): void {
  if (assistant.tag) assistant.oldTags.push(assistant.tag);
  assistant.tag = undefined;
}
