import { v7 as uuidv7 } from 'uuid';
import { TooLarge } from '../errors.ts';
import type { EventData } from '../events.ts';
import type { Result } from '../http/result.ts';
import type {
  Assistant,
  AssistantContent,
  AssistantUpdate,
  AttachedKnowledgeBase,
  LanguageConfig,
  NewAssistant,
} from '../schemas/assistant.ts';
import { defaultCallSettings, defaultSettings } from '../schemas/assistant.ts';
import type { User } from '../user.ts';
import { checkMaxValues } from './estimate-max-values.ts';
import { toEtag } from './etag.ts';
import { type Attachments, clearDetached, findBuiltinId } from './knowledge-base.ts';
import { isSameLanguage } from './language.ts';
import { listChanges } from './versions/changes.ts';
import { computeDigest, getContent } from './versions/content.ts';
import { hasUnpublishedChanges, noVersions, toLive, type Versions } from './versions/versions.ts';

/** A stored assistant. Its owner is part of its key. */
export interface StoredAssistant extends AssistantContent {
  id: string;
  /** Starts at 1. Every edit increments it; attaching a knowledge base does not. */
  revision: number;
  /** Attached knowledge bases. Written separately from the other fields, since requests may attach concurrently. */
  attachments: Attachments;
  /** Its versions. Written separately from the other fields, since publishing is no edit. */
  versions: Versions;
  created_at: string;
  updated_at: string;
}

const maxAssistantBytes = 300 * 1024;

/** Maximum number of JSON values of an assistant. A page of a list holds some twenty large ones at once. */
const maxAssistantValues = 20_000;

/** Throws TooLarge above 300 KB or 20,000 values. DynamoDB allows 400 KB an item; the rest is for attachments. */
function checkSize<A extends StoredAssistant>(assistant: A): A {
  const { attachments: _, versions: __, ...content } = assistant;
  const json = JSON.stringify(content);
  if (Buffer.byteLength(json) > maxAssistantBytes)
    throw new TooLarge(['body'], 'An assistant may have at most 300 KB in all');
  checkMaxValues(json, maxAssistantValues, 'An assistant');
  return assistant;
}

/** Creates an assistant with a generated id, and attaches the knowledge base that it names. Throws TooLarge. */
export function buildAssistant(content: NewAssistant): StoredAssistant {
  const now = new Date().toISOString();
  const builtinId = findBuiltinId(content.knowledge_base);
  const attachments = builtinId === undefined ? {} : { [builtinId]: now };
  return checkSize({
    ...content,
    id: uuidv7(),
    revision: 1,
    attachments,
    versions: noVersions,
    created_at: now,
    updated_at: now,
  });
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
 * Applies a partial update. Absent fields stay. Null clears `description`, `first_message` and the settings of calls, and is ignored for
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
    variables: change.variables === undefined ? current.variables : change.variables,
    timezone: change.timezone === undefined ? current.timezone : (change.timezone ?? defaultCallSettings.timezone),
    tools: change.tools === undefined ? current.tools : (change.tools ?? defaultCallSettings.tools),
    mcp_servers:
      change.mcp_servers === undefined ? current.mcp_servers : (change.mcp_servers ?? defaultCallSettings.mcp_servers),
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

/** Returns the draft with the content of a version. Returns the same object if nothing changes. */
export function restoreContent(current: StoredAssistant, content: AssistantContent): StoredAssistant {
  if (computeDigest(content) === computeDigest(current)) return current;
  const knowledge_base = clearDetached(content.knowledge_base, current.attachments);
  return {
    ...current,
    ...content,
    knowledge_base,
    revision: current.revision + 1,
    updated_at: new Date().toISOString(),
  };
}

/**
 * Lists the paths of the fields that a client has changed, sorted: `["name", "voice.language"]`. Never the values, which may be
 * secret.
 */
const listChangedFields = (current: StoredAssistant, next: StoredAssistant): string[] =>
  listChanges(getContent(current), getContent(next))
    .map(({ path }) => path.join('.'))
    .toSorted();

/** Builds the data of the event of an edit. */
export const toUpdateData = (current: StoredAssistant, next: StoredAssistant): EventData<'assistant.updated'> => ({
  name: next.name,
  revision: next.revision,
  changed: listChangedFields(current, next),
});

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
    ...getContent(assistant),
    attached_knowledge_bases: attached,
    live: toLive(assistant.versions),
    has_unpublished_changes: hasUnpublishedChanges(assistant),
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
  return { body, etag: toEtag(assistant.revision, [attached, body.live]) };
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
