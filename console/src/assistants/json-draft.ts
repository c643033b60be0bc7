import { assistants } from '../strings/assistants.ts';
import { type Draft, draftFields, draftOf, emptyDraft, type Part, parts } from './draft.ts';
import { findJsonMistake } from './json-mistake.ts';
import { isDropped } from './setting-rows.ts';

/** A text that was read: what it says, or what is wrong with it. */
export type Read<T> = { value: T; faults: [] } | { value: undefined; faults: string[] };

const { jsonFault: said } = assistants;

/** A value as people edit it. */
export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the text of an object. */
export function readObject(text: string): Read<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value, faults: [] } : { value: undefined, faults: [said.object] };
  } catch (error) {
    const mistake = findJsonMistake(text);
    return { value: undefined, faults: [mistake ? said.mistake(mistake) : String(error)] };
  }
}

/** What the service alone sets: it may stand in the text, as it does in what GET gives. */
const readOnly = ['id', 'user_id', 'attached_knowledge_bases', 'created_at', 'updated_at'];

/** The known values that the form shows in fields of text. Where one may be null, so may the same of `emptyDraft`. */
const asExpected = (value: unknown, standard: unknown) =>
  typeof value === 'string' || (value === null && standard === null);

/** What keeps these settings from being shown by the form, or kept. One that is absent takes the standard value, as in the service. */
function faultsInPart(part: Part, value: unknown, saved: Record<string, unknown>): string[] {
  if (!isObject(value)) return [said.beObject(part)];
  const standard: Record<string, unknown> = emptyDraft[part];
  const unexpected = Object.entries(standard)
    .filter(([key]) => Object.hasOwn(value, key))
    .filter(([key, usual]) => (isObject(usual) ? !isObject(value[key]) : !asExpected(value[key], usual)))
    .map(([key, usual]) => said[isObject(usual) ? 'beObject' : 'beText'](`${part}.${key}`));
  const nulls = Object.keys(value).filter((key) => isDropped(value[key], saved[key]) && !Object.hasOwn(standard, key));
  return [...unexpected, ...nulls.map((key) => said.null(`${part}.${key}`))];
}

/**
 * Reads the text of an assistant. Absent parts and settings are the standard ones. Refuses what the form could not show, and
 * what the service would not keep: fields that no assistant has, and null for a vendor's setting, unless it is `saved` so.
 */
export function readDraft(text: string, saved: Draft = emptyDraft): Read<Draft> {
  const read = readObject(text);
  if (!read.value) return { value: undefined, faults: read.faults };
  const given = read.value;
  const isKnown = (field: string) => (draftFields as readonly string[]).includes(field) || readOnly.includes(field);
  const faults = [
    ...Object.keys(given)
      .filter((field) => !isKnown(field))
      .map(said.unknown),
    ...['name', 'system_instruction'].filter((field) => typeof given[field] !== 'string').map(said.beText),
    ...['description', 'first_message']
      .filter((field) => !asExpected(given[field] ?? null, null))
      .map(said.beTextOrNull),
    ...parts.flatMap((part) => faultsInPart(part, given[part] ?? {}, saved[part])),
  ];
  if (faults.length > 0) return { value: undefined, faults };
  const whole = { ...given, description: given.description ?? null, first_message: given.first_message ?? null };
  const filled = Object.fromEntries(parts.map((part) => [part, { ...emptyDraft[part], ...(given[part] ?? {}) }]));
  return { value: draftOf({ ...whole, ...filled } as Draft), faults: [] };
}
