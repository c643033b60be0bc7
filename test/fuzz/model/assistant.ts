import { type Assistant, expectSame, type Model } from './model.ts';

/** Assistant in a response: the fields that the model compares. */
export interface PublicAssistant {
  id: string;
  name: string;
  description: string | null;
  voice: Record<string, unknown>;
  attached_knowledge_bases: { id: string; name: string }[];
  live: { versions: { version: number; weight: number }[] } | null;
  has_unpublished_changes: boolean;
}

/** Voice of an assistant that was created without one. */
export const defaultVoice: Record<string, unknown> = {
  voice_id: null,
  tts_provider: 'cartesia',
  tts_model: 'default',
  language: 'en',
};

/** Returns an assistant that was just created. */
export const buildAssistant = (id: string, name: string, voice: Record<string, unknown> = {}): Assistant => ({
  id,
  name,
  description: null,
  voice: { ...defaultVoice, ...voice },
  attached: new Set(),
  versions: new Map(),
  lastVersion: 0,
  live: [],
});

/** Sorts fields by name. */
export const sortFields = (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).sort());

/** Returns what a version of an assistant holds, of the fields that the model compares. */
export const toContent = ({ name, description, voice }: Pick<Assistant, 'name' | 'description' | 'voice'>): string =>
  JSON.stringify({ name, description, voice: sortFields(voice) });

/** Throws if an assistant in a response differs from the model. */
export function expectAssistant(shown: PublicAssistant, assistant: Assistant, documents: Model['documents']): void {
  const { id, name, description, voice, attached, live, versions } = assistant;
  const { attached_knowledge_bases, ...rest } = shown;
  const fields = { id: rest.id, name: rest.name, description: rest.description, voice: sortFields(rest.voice) };
  expectSame('the assistant', fields, { id, name, description, voice: sortFields(voice) });
  const newest = Math.max(...live.map(({ version }) => version));
  const isChanged = live.length > 0 && versions.get(newest) !== toContent(assistant);
  expectSame('its live versions', [shown.live?.versions ?? [], shown.has_unpublished_changes], [live, isChanged]);
  expectSame(
    'its knowledge bases',
    sortFields(Object.fromEntries(attached_knowledge_bases.map((one) => [one.id, one.name]))),
    sortFields(Object.fromEntries([...attached].map((one) => [one, documents.get(one)]))),
  );
}

/** Forgets the current ETag, which an edit has made stale. */
export function markEdited(assistant: Assistant): void {
  assistant.staleTag = assistant.tag ?? assistant.staleTag;
  assistant.tag = undefined;
}
