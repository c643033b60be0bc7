import { v7 as uuidv7 } from 'uuid';
import { TooLarge } from '../errors.ts';
import type { Result } from '../http/result.ts';
import type {
  Assistant,
  AssistantUpdate,
  AttachedKnowledgeBase,
  LanguageConfig,
  NewAssistant,
} from '../schemas/assistant.ts';
import { defaultSettings } from '../schemas/assistant.ts';
import type { User } from '../user.ts';
import { toEtag } from './etag.ts';
import { type Attachments, findBuiltinId } from './knowledge-base.ts';
import { isSameLanguage } from './language.ts';

/** Fields that a client may set. */
export type AssistantContent = Omit<
  Assistant,
  'id' | 'user_id' | 'attached_knowledge_bases' | 'created_at' | 'updated_at'
>;

/** A stored assistant. Its owner is part of its key. */
export interface StoredAssistant extends AssistantContent {
  id: string;
  /** Starts at 1. Every edit increments it; attaching a knowledge base does not. */
  revision: number;
  /** Attached knowledge bases. Written separately from the other fields, since requests may attach concurrently. */
  attachments: Attachments;
  created_at: string;
  updated_at: string;
}

const maxAssistantBytes = 300 * 1024;

/** Throws TooLarge above 300 KB. DynamoDB allows 400 KB an item; the rest is for attachments. */
function checkSize<A extends StoredAssistant>(assistant: A): A {
  const { attachments: _, ...content } = assistant;
  if (Buffer.byteLength(JSON.stringify(content)) > maxAssistantBytes) {
    throw new TooLarge(['body'], 'An assistant may have at most 300 KB in all');
  }
  return assistant;
}

/** Creates an assistant with a generated id, and attaches the knowledge base that it names. Throws TooLarge. */
export function buildAssistant(content: NewAssistant): StoredAssistant {
  const now = new Date().toISOString();
  const builtinId = findBuiltinId(content.knowledge_base);
  const attachments = builtinId === undefined ? {} : { [builtinId]: now };
  return checkSize({ ...content, id: uuidv7(), revision: 1, attachments, created_at: now, updated_at: now });
}

const settingGroups = ['voice', 'llm', 'transcriber', 'knowledge_base', 'transport'] as const;

type Settings = Record<string, unknown>;

/** Merges settings by key. Null resets a key to its default, or removes it if it has none. */
function mergeSettings(current: Settings, change: Settings, defaults: Settings): Settings {
  const merged = { ...current };
  for (const [key, value] of Object.entries(change)) {
    if (value !== null) merged[key] = value;
    else if (Object.hasOwn(defaults, key)) merged[key] = defaults[key];
    else delete merged[key];
  }
  return merged;
}

/**
 * Applies a partial update. Absent fields stay. Null clears `description` and `first_message`, and is ignored for
 * `name` and `system_instruction`. Attaches the knowledge base that the update names. Returns the same object if
 * nothing changes. Throws TooLarge.
 */
export function applyUpdate(current: StoredAssistant, change: AssistantUpdate): StoredAssistant {
  const next: StoredAssistant = {
    ...current,
    name: change.name ?? current.name,
    system_instruction: change.system_instruction ?? current.system_instruction,
    description: change.description === undefined ? current.description : change.description,
    first_message: change.first_message === undefined ? current.first_message : change.first_message,
  };
  for (const name of settingGroups) {
    Object.assign(next, { [name]: mergeSettings(current[name], change[name] ?? {}, defaultSettings[name]) });
  }
  const updated_at = new Date().toISOString();
  const builtinId = findBuiltinId(next.knowledge_base);
  if (builtinId && builtinId !== findBuiltinId(current.knowledge_base))
    next.attachments = { [builtinId]: updated_at, ...current.attachments };
  if (JSON.stringify(next) === JSON.stringify(current)) return current;
  return checkSize({ ...next, revision: current.revision + 1, updated_at });
}

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the paths of values that differ: `["name", "voice.language"]`. Never the values, which may be secret. */
function listDifferences(current: Settings, next: Settings, prefix = ''): string[] {
  const keys = new Set([...Object.keys(current), ...Object.keys(next)]);
  return [...keys].flatMap((key) => {
    const [before, after] = [current[key], next[key]];
    if (isObject(before) && isObject(after)) return listDifferences(before, after, `${prefix}${key}.`);
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${prefix}${key}`];
  });
}

/** Fields that only the service sets. */
const serviceFields = ['revision', 'updated_at', 'attachments'];

/** Lists the paths of the fields that a client has changed, sorted. */
export const listChangedFields = (current: StoredAssistant, next: StoredAssistant): string[] =>
  listDifferences({ ...current }, { ...next })
    .filter((path) => !serviceFields.includes(path.split('.', 1)[0] ?? ''))
    .toSorted();

/**
 * Converts an assistant to its API representation. The order of fields is fixed, since an equal ETag promises equal
 * bytes.
 */
export function toPublicAssistant(
  assistant: StoredAssistant,
  user: User,
  attached: AttachedKnowledgeBase[],
): Assistant {
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

/** Builds the result that returns one assistant. */
export function toAssistantResult(
  assistant: StoredAssistant,
  user: User,
  attached: AttachedKnowledgeBase[],
): Result<Assistant> & { etag: string } {
  const body = toPublicAssistant(assistant, user, attached);
  return { body, etag: toEtag(assistant.revision, body.attached_knowledge_bases) };
}

/** Returns the languages that an assistant speaks and understands. */
export function toLanguageConfig({ voice, transcriber }: StoredAssistant): LanguageConfig {
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
    is_consistent: isSameLanguage(voice.language, transcriber.language),
  };
}
