import { v7 as uuidv7 } from 'uuid';
import type { Answer } from '../answer.ts';
import { TooLarge } from '../errors.ts';
import type {
  Assistant,
  AssistantUpdate,
  AttachedKnowledgeBase,
  LanguageConfig,
  NewAssistant,
} from '../schemas/assistant.ts';
import { standardSettings } from '../schemas/assistant.ts';
import type { User } from '../user.ts';
import { entityTag } from './etag.ts';
import { type Attachments, builtin } from './knowledge-base.ts';
import { sameLanguage } from './language.ts';

/** What a client may set. */
export type AssistantContent = Omit<
  Assistant,
  'id' | 'user_id' | 'attached_knowledge_bases' | 'created_at' | 'updated_at'
>;

/** An assistant as the service keeps it. Its owner is part of its key. */
export interface StoredAssistant extends AssistantContent {
  id: string;
  /** Starts at 1; every edit raises it. Attaching is no edit. */
  revision: number;
  /** Its knowledge bases. Never written with the rest, since others attach meanwhile. */
  attachments: Attachments;
  created_at: string;
  updated_at: string;
}

const maxBytes = 300 * 1024;

/** DynamoDB takes 400 KB an item; the rest is room for attachments. */
function fitting<A extends StoredAssistant>(assistant: A): A {
  const { attachments: _, ...content } = assistant;
  if (Buffer.byteLength(JSON.stringify(content)) > maxBytes) {
    throw new TooLarge(['body'], 'An assistant may have at most 300 KB in all');
  }
  return assistant;
}

/** A new assistant with an id of ours, to which the knowledge base that it names is attached. Throws TooLarge. */
export function newAssistant(content: NewAssistant): StoredAssistant {
  const now = new Date().toISOString();
  const builtinId = builtin(content.knowledge_base);
  const attachments = builtinId === undefined ? {} : { [builtinId]: now };
  return fitting({ ...content, id: uuidv7(), revision: 1, attachments, created_at: now, updated_at: now });
}

const settingsNames = ['voice', 'llm', 'transcriber', 'knowledge_base', 'transport'] as const;

type Settings = Record<string, unknown>;

/** Merges settings key by key; null sets a key back to its standard value, or drops it where it has none. */
function mergeSettings(current: Settings, change: Settings, standard: Settings): Settings {
  const merged = { ...current };
  for (const [key, value] of Object.entries(change)) {
    if (value !== null) merged[key] = value;
    else if (Object.hasOwn(standard, key)) merged[key] = standard[key];
    else delete merged[key];
  }
  return merged;
}

/**
 * An assistant after a partial update: absent fields stay, null clears `description` and `first_message` and leaves
 * `name` and `system_instruction`. A knowledge base that it names is attached. An update that changes nothing gives the
 * same object back. Throws TooLarge.
 */
export function updated(current: StoredAssistant, change: AssistantUpdate): StoredAssistant {
  const next: StoredAssistant = {
    ...current,
    name: change.name ?? current.name,
    system_instruction: change.system_instruction ?? current.system_instruction,
    description: change.description === undefined ? current.description : change.description,
    first_message: change.first_message === undefined ? current.first_message : change.first_message,
  };
  for (const name of settingsNames) {
    Object.assign(next, { [name]: mergeSettings(current[name], change[name] ?? {}, standardSettings[name]) });
  }
  const updated_at = new Date().toISOString();
  const named = builtin(next.knowledge_base);
  if (named && named !== builtin(current.knowledge_base))
    next.attachments = { [named]: updated_at, ...current.attachments };
  if (JSON.stringify(next) === JSON.stringify(current)) return current;
  return fitting({ ...next, revision: current.revision + 1, updated_at });
}

/** An assistant as its owner sees it, its fields always in this order: the ETag promises the same bytes. */
export function shown(assistant: StoredAssistant, user: User, attached: AttachedKnowledgeBase[]): Assistant {
  return {
    id: assistant.id,
    user_id: user.id,
    name: assistant.name,
    system_instruction: assistant.system_instruction,
    description: assistant.description,
    first_message: assistant.first_message,
    voice: assistant.voice,
    llm: assistant.llm,
    transcriber: assistant.transcriber,
    knowledge_base: assistant.knowledge_base,
    transport: assistant.transport,
    attached_knowledge_bases: attached,
    created_at: assistant.created_at,
    updated_at: assistant.updated_at,
  };
}

/** The answer that shows one assistant. */
export function answerWith(
  assistant: StoredAssistant,
  user: User,
  attached: AttachedKnowledgeBase[],
): Answer<Assistant> & { etag: string } {
  const body = shown(assistant, user, attached);
  return { body, etag: entityTag(assistant.revision, body.attached_knowledge_bases) };
}

/** The languages that an assistant speaks and understands. */
export function languageConfig({ voice, transcriber }: StoredAssistant): LanguageConfig {
  return {
    voice: {
      language: voice.language,
      tts_provider: voice.tts_provider,
      tts_model: voice.tts_model,
      voice_id: voice.voice_id,
    },
    transcriber: {
      language: transcriber.language,
      stt_provider: transcriber.stt_provider,
      stt_model: transcriber.stt_model,
    },
    is_consistent: sameLanguage(voice.language, transcriber.language),
  };
}
