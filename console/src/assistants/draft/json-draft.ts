import { assistants } from '../../strings/assistants.ts';
import { type Draft, draftFields, emptyDraft, type Part, parts, toDraft } from './draft.ts';
import { findJsonMistake } from './json-mistake.ts';
import { isDropped } from './setting-rows.ts';
import { findToolFaults, type Tool } from './tool-shape.ts';

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

/** Parses the JSON of a tool. Rejects what the form could not show. */
export function parseTool(text: string): ParseResult<Tool> {
  const read = parseObject(text);
  if (!read.value) return { value: undefined, faults: read.faults };
  const faults = findToolFaults(read.value);
  return faults.length > 0 ? { value: undefined, faults } : { value: read.value as Tool, faults: [] };
}

/** Fields that only the API sets. The text may contain them, as a response does. */
const readOnlyFields = [
  'id',
  'user_id',
  'attached_knowledge_bases',
  'live',
  'has_unpublished_changes',
  'created_at',
  'updated_at',
];

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

/** True for a list of objects with this key, as text. */
const isListOf = (key: string, value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && typeof one[key] === 'string');

/** Lists what of the tools, servers and variables the form could not show. */
function findCallFaults({
  tools = [],
  mcp_servers = [],
  variables = null,
  timezone = '',
}: Record<string, unknown>): string[] {
  return [
    ...(Array.isArray(tools)
      ? tools.flatMap((tool, index) => findToolFaults(tool, `tools.${index}.`))
      : [messages.beList('tools', 'type')]),
    ...(isListOf('name', mcp_servers) ? [] : [messages.beList('mcp_servers', 'name')]),
    ...(variables === null || (isObject(variables) && Object.values(variables).every(isObject))
      ? []
      : [messages.beVariables]),
    ...(typeof timezone === 'string' ? [] : [messages.beText('timezone')]),
  ];
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
    ...findCallFaults(given),
  ];
  if (faults.length > 0) return { value: undefined, faults };
  const { variables, timezone, tools, mcp_servers } = { ...emptyDraft, ...given };
  const whole = {
    ...given,
    variables,
    timezone,
    tools,
    mcp_servers,
    description: given.description ?? null,
    first_message: given.first_message ?? null,
  };
  const filled = Object.fromEntries(parts.map((part) => [part, { ...emptyDraft[part], ...(given[part] ?? {}) }]));
  return { value: toDraft({ ...whole, ...filled } as Draft), faults: [] };
}
