import { type Assistant, type Model, same } from './model.ts';

/** As the service shows it. */
export interface Shown {
  id: string;
  name: string;
  description: string | null;
  voice: Record<string, unknown>;
  attached_knowledge_bases: { id: string; name: string }[];
}

/** A voice of which nothing is said. */
export const standard: Record<string, unknown> = {
  voice_id: null,
  tts_provider: 'cartesia',
  tts_model: 'default',
  language: 'en',
};
/** By field, as the service orders them. */
export const sorted = (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).sort());

/** Throws where the service shows an assistant otherwise than the model has it. */
export function expectShown(
  shown: Shown,
  { id, name, description, voice, attached }: Assistant,
  documents: Model['documents'],
): void {
  const { attached_knowledge_bases, ...rest } = shown;
  const fields = { id: rest.id, name: rest.name, description: rest.description, voice: sorted(rest.voice) };
  same('the assistant', fields, { id, name, description, voice: sorted(voice) });
  same(
    'its knowledge bases',
    sorted(Object.fromEntries(attached_knowledge_bases.map((one) => [one.id, one.name]))),
    sorted(Object.fromEntries([...attached].map((one) => [one, documents.get(one)]))),
  );
}

/** Forgets the entity tag of what is shown otherwise now. */
export function changed(assistant: Assistant): void {
  if (assistant.tag) assistant.old.push(assistant.tag);
  assistant.tag = undefined;
}
