import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { buildAssistant } from '../../../shared/domain/assistant.ts';
import { findNearMiss } from '../../../shared/domain/near-miss.ts';
import { isStorable, isStorableKey } from '../../../shared/domain/storable.ts';
import { checkTools } from '../../../shared/domain/tools/check.ts';
import { listToolUrls } from '../../../shared/domain/tools/tools.ts';
import { findTypos } from '../../../shared/domain/typos.ts';
import { toSortedJson } from '../../../shared/domain/versions/changes.ts';
import { completeContent } from '../../../shared/domain/versions/content.ts';
import { ApiError as ServiceError } from '../../../shared/errors.ts';
import { findUrlFault } from '../../../shared/outbound/url-rules.ts';
import {
  type Assistant,
  type AssistantContent,
  defaultSettings,
  NewAssistant,
  readOnlyFields,
} from '../../../shared/schemas/assistant.ts';
import type { components } from '../../typescript/src/schema.d.ts';

type Fields = Record<string, unknown>;

export type AssistantUpdate = components['schemas']['AssistantUpdate'];

const groups = Object.keys(defaultSettings) as (keyof typeof defaultSettings)[];
const isGroup = (name: string): name is keyof typeof defaultSettings => groups.includes(name as never);

/** Fields that every file has, with placeholders. */
const required: Fields = { name: '-', system_instruction: '-' };

/** Content of an assistant that says nothing but what it must. */
const standard: Fields = { ...v.parse(NewAssistant, required) };

/** Names of the fields of a file, in their order. */
const fieldNames = Object.keys(completeContent(standard as unknown as AssistantContent));

const isEqual = (one: unknown, other: unknown) => toSortedJson(one) === toSortedJson(other);

/** Returns the fields of an assistant that a file holds. */
export const toContent = (assistant: AssistantContent): AssistantContent => completeContent(assistant);

/** Returns a digest of all that a file holds of an assistant. */
export const computeDigest = (content: AssistantContent): string =>
  createHash('sha256')
    .update(toSortedJson(content) ?? '')
    .digest('base64url')
    .slice(0, 22);

/** Returns the settings of a group that differ from the defaults. */
const dropDefaults = (settings: Fields, defaults: Fields): Fields =>
  Object.fromEntries(Object.entries(settings).filter(([key, value]) => !isEqual(value, defaults[key])));

/** Returns the fields to write into a file: the required ones, and those that differ from their defaults. */
export function toFileFields(content: AssistantContent): Fields {
  const fields: Fields = {};
  for (const name of fieldNames) {
    const value = (content as unknown as Fields)[name];
    if (!isGroup(name)) {
      if (Object.hasOwn(required, name) || !isEqual(value, standard[name])) fields[name] = value;
      continue;
    }
    const changed = dropDefaults(value as Fields, defaultSettings[name]);
    if (Object.keys(changed).length > 0) fields[name] = changed;
  }
  return fields;
}

/** Names the fields of a file that an assistant does not have. */
function listUnknownFields(fields: Fields): string[] {
  const known = [...fieldNames, ...readOnlyFields];
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = findNearMiss(name, fieldNames);
      return `unknown field ${name}${meant ? `, did you mean ${meant}?` : ''}`;
    });
}

/** Returns a sentence for each setting or vendor that looks misspelt. The service stores any, because vendors have their own. */
export const listTypos = (content: AssistantContent): string[] =>
  findTypos(toFileFields(content)).map(
    ({ field, meant }) => `${field} is not known: did you mean ${meant}? It is stored as you wrote it`,
  );

/** Removes vendors' settings that are null, which the API does not store. */
const dropNulls = (settings: Fields, defaults: Fields): Fields =>
  Object.fromEntries(Object.entries(settings).filter(([key, value]) => value !== null || Object.hasOwn(defaults, key)));

/** Returns a sentence for a field that is wrong. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  const message = issue.received === 'undefined' ? 'missing' : issue.message.replace(/^Invalid \w+: /, '');
  // YAML reads {{ name }} at the beginning of a text as an object.
  const isTemplate = issue.received === 'Object' && issue.expected?.includes('string');
  const advice = isTemplate ? ': if it is a text that begins with {{, put it in quotes' : '';
  return `${v.getDotPath(issue) ?? 'the file'}: ${message}${advice}`;
}

/** Returns a sentence for each value that the API cannot store. */
function listUnstorable(value: unknown, path: string[] = []): string[] {
  const place = path.join('.') || 'the file';
  if (typeof value === 'string' && !isStorable(value))
    return [`${place}: the text has a NUL, half of a character, or U+FFFD in it: remove it`];
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${place}: write a finite number`];
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [`${place}: a whole number beyond 2^53 loses digits: write it as a text`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    isStorableKey(key)
      ? listUnstorable(inner, [...path, key])
      : [`${place}: the name ${key} cannot be stored: choose another`],
  );
}

/**
 * Returns a sentence for each address of a tool that no service requests. Which hosts a service requests is known to the service only: its
 * operator may allow private ones.
 */
const listWrongUrls = ({ tools, mcp_servers }: AssistantContent): string[] =>
  listToolUrls(tools, mcp_servers).flatMap(([url, loc]) => {
    const fault = findUrlFault(url, URL.canParse(url) ? [`${new URL(url).hostname}:*`] : []);
    return fault ? [`${loc.slice(1).join('.')}: ${fault.msg}`] : [];
  });

/** Checks the fields of a file by the rules of the API, and completes them. Returns its mistakes if there are any. */
export async function parseFields(
  fields: Fields,
): Promise<{ content: AssistantContent; mistakes?: never } | { content?: never; mistakes: string[] }> {
  const unknown = [...listUnknownFields(fields), ...listUnstorable(fields)];
  const { output, issues } = v.safeParse(NewAssistant, fields);
  const faults = issues?.map(describeIssue) ?? [];
  if (issues || unknown.length > 0) return { mistakes: [...unknown, ...faults] };
  const content = toContent(output);
  for (const name of groups) Object.assign(content, { [name]: dropNulls(content[name], defaultSettings[name]) });
  const wrongUrls = listWrongUrls(content);
  if (wrongUrls.length > 0) return { mistakes: wrongUrls };
  try {
    await checkTools(buildAssistant({ ...output, ...content }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { mistakes: error.detail.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')) };
  }
  return { content };
}

/** Returns the change of a group's settings: null removes a key, or resets it to its default. */
function diffSettings(current: Fields, wanted: Fields): Fields {
  const names = [...new Set([...Object.keys(current), ...Object.keys(wanted)])];
  const changed = names.filter((name) => !isEqual(current[name], wanted[name]));
  return Object.fromEntries(changed.map((name) => [name, wanted[name] ?? null]));
}

/** Builds the body that changes an assistant into what is wanted. Undefined if nothing differs. */
export function buildUpdate(current: AssistantContent, wanted: AssistantContent): AssistantUpdate | undefined {
  const body: Fields = {};
  for (const name of fieldNames) {
    const [before, after] = [current, wanted].map((content) => (content as unknown as Fields)[name]);
    if (!isEqual(before, after)) body[name] = isGroup(name) ? diffSettings(before as Fields, after as Fields) : after;
  }
  return Object.keys(body).length > 0 ? (body as AssistantUpdate) : undefined;
}

/** Names the fields of a file that a server does not know, by an assistant as it shows it. */
export const listFieldsUnknownTo = (assistant: Assistant, wanted: AssistantContent): string[] =>
  fieldNames.filter(
    (name) => !Object.hasOwn(assistant, name) && !isEqual((wanted as unknown as Fields)[name], standard[name]),
  );

/** Names the fields of a server that this program does not know. */
export const listNewFields = (assistant: Assistant): string[] =>
  Object.keys(assistant).filter((name) => !fieldNames.includes(name) && !readOnlyFields.includes(name));
