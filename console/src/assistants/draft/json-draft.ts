import { assistants } from '../../strings/assistants.ts';
import { type Draft, draftFields, emptyDraft, type Part, parts, toDraft } from './draft.ts';
import { findJsonMistake } from './json-mistake.ts';
import { isDropped } from './setting-rows.ts';

/** Result of parsing a text: its value or its faults. */
export type ParseResult<T> = { value: T; faults: [] } | { value: undefined; faults: string[] };

const { jsonFault: messages } = assistants;

/** Formats a value for editing. */
export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a text that must be a JSON object. */
export function parseObject(text: string): ParseResult<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value, faults: [] } : { value: undefined, faults: [messages.object] };
  } catch (error) {
    const mistake = findJsonMistake(text);
    return { value: undefined, faults: [mistake ? messages.mistake(mistake) : String(error)] };
  }
}

/** Fields that only the API sets. The text may contain them, as a response does. */
const readOnlyFields = ['id', 'user_id', 'attached_knowledge_bases', 'created_at', 'updated_at'];

/** True for a string, or for null where `emptyDraft` has null. The form shows such settings in text fields. */
const isTextOrDefaultNull = (value: unknown, standard: unknown) =>
  typeof value === 'string' || (value === null && standard === null);

/**
 * Lists the settings of a part that the form could not show, or the API not store. Missing settings get their default,
 * as in the API.
 */
function findPartFaults(part: Part, value: unknown, saved: Record<string, unknown>): string[] {
  if (!isObject(value)) return [messages.beObject(part)];
  const standard: Record<string, unknown> = emptyDraft[part];
  const unexpected = Object.entries(standard)
    .filter(([key]) => Object.hasOwn(value, key))
    .filter(([key, usual]) => (isObject(usual) ? !isObject(value[key]) : !isTextOrDefaultNull(value[key], usual)))
    .map(([key, usual]) => messages[isObject(usual) ? 'beObject' : 'beText'](`${part}.${key}`));
  const nulls = Object.keys(value).filter((key) => isDropped(value[key], saved[key]) && !Object.hasOwn(standard, key));
  return [...unexpected, ...nulls.map((key) => messages.null(`${part}.${key}`))];
}

/**
 * Parses the JSON of an assistant. Missing parts and settings get their defaults. Rejects what the form could not show
 * and what the API would not store: unknown fields, and null for a vendor's setting, unless it is null in `saved`.
 */
export function parseDraft(text: string, saved: Draft = emptyDraft): ParseResult<Draft> {
  const read = parseObject(text);
  if (!read.value) return { value: undefined, faults: read.faults };
  const given = read.value;
  const isKnown = (field: string) =>
    (draftFields as readonly string[]).includes(field) || readOnlyFields.includes(field);
  const faults = [
    ...Object.keys(given)
      .filter((field) => !isKnown(field))
      .map(messages.unknown),
    ...['name', 'system_instruction'].filter((field) => typeof given[field] !== 'string').map(messages.beText),
    ...['description', 'first_message']
      .filter((field) => !isTextOrDefaultNull(given[field] ?? null, null))
      .map(messages.beTextOrNull),
    ...parts.flatMap((part) => findPartFaults(part, given[part] ?? {}, saved[part])),
  ];
  if (faults.length > 0) return { value: undefined, faults };
  const whole = { ...given, description: given.description ?? null, first_message: given.first_message ?? null };
  const filled = Object.fromEntries(parts.map((part) => [part, { ...emptyDraft[part], ...(given[part] ?? {}) }]));
  return { value: toDraft({ ...whole, ...filled } as Draft), faults: [] };
}
