import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantContent } from '../../../shared/schemas/assistant.ts';
import { UserError } from '../errors.ts';
import { readTextFile } from '../read-text-file.ts';
import { computeDigest, parseFields } from './content.ts';
import { type Format, getFormat, parseFile } from './format.ts';
import { type Lock, lockName, readLock } from './lock.ts';

/** Folder that commands use unless another is named. */
export const defaultFolder = 'assistants';

/** File of one assistant. */
export interface AssistantFile {
  name: string;
  format: Format;
  text: string;
  /** Undefined if the assistant is new. */
  id: string | undefined;
  content: AssistantContent;
}

/** A folder of assistants: files, and what they were when they were last equal to the server. */
export interface Folder {
  path: string;
  files: AssistantFile[];
  /** Undefined before the first pull or push. */
  lock: Lock | undefined;
}

/** Maximum size of a file: an assistant has at most 300 KB. */
const maxBytes = 2_000_000;

/** Several mistakes, one per line. */
const toError = (mistakes: string[]) => new UserError([...mistakes, 'Nothing was changed'].join('\n'));

/** Reads the text of a file of an assistant. Throws Error if it is too large, or no file. */
export const readAssistantText = (path: string): string => readTextFile(path, maxBytes);

/** True if a file still has the text that was read before. */
export const isUnchanged = (folder: string, { name, text }: AssistantFile): boolean => {
  const path = join(folder, name);
  return existsSync(path) && readAssistantText(path) === text;
};

/** Reads a file of an assistant. Returns its mistakes if there are any. */
export async function readFile(folder: string, name: string): Promise<AssistantFile | string[]> {
  const path = join(folder, name);
  try {
    const format = getFormat(name);
    const text = readAssistantText(path);
    const { id, ...fields } = parseFile(format, text);
    if (id !== undefined && typeof id !== 'string') return [`${path}: id should be a text`];
    const { content, mistakes } = await parseFields(fields);
    return content ? { name, format, text, id: id?.toLowerCase(), content } : mistakes.map((one) => `${path}: ${one}`);
  } catch (error) {
    return [`${path}: ${(error as Error).message}`];
  }
}

/** Returns a sentence for each id that several files have. */
function listSharedIds(path: string, files: AssistantFile[]): string[] {
  const ids = new Set(files.flatMap(({ id }) => id ?? []));
  return [...ids].flatMap((id) => {
    const same = files.filter((file) => file.id === id).map(({ name }) => join(path, name));
    return same.length > 1 ? [`${same.join(' and ')} have the same id ${id}: remove it from the copy`] : [];
  });
}

/** Returns a sentence for a file whose id is not the one that it was pulled or created with. */
export const describeWrongId = (path: string, expected: string, id: string | undefined): string =>
  `${path} should have the id ${expected} but has ${id ?? 'none'}: put it back, or rename the file`;

/** Throws UserError if a folder holds nothing, or the id of a file is not the one that it was pulled or created with. */
export function checkFolder({ path, files, lock }: Folder): void {
  if (files.length === 0 && !lock)
    throw new UserError(`There is no assistant in ${path}: run assistants pull, or name another folder`);
  const entries = lock?.assistants ?? {};
  const pulled = new Set(Object.values(entries).map(({ id }) => id));
  const mistakes = files.flatMap(({ name, id }) => {
    const file = join(path, name);
    const expected = entries[name]?.id;
    if (id === undefined) return []; // makePlan knows whether it should have one
    if (expected !== undefined && id !== expected) return [describeWrongId(file, expected, id)];
    if (pulled.has(id)) return [];
    return [`${file} has an id that was not pulled, ${id}: run assistants pull, or remove it to create another`];
  });
  if (mistakes.length > 0) throw toError(mistakes);
}

/** Returns the creations of the files that have no id yet. Those of files that are gone move to files with the same content. */
function followCreations(files: AssistantFile[], { creating }: Lock): Lock['creating'] {
  const waiting = files.filter(({ id }) => id === undefined);
  const isHere = (name: string) => waiting.some((file) => file.name === name);
  const followed = Object.entries(creating).filter(([name]) => isHere(name));
  for (const [name, creation] of Object.entries(creating)) {
    if (isHere(name)) continue;
    const renamed = waiting.find(
      (file) => followed.every(([other]) => other !== file.name) && computeDigest(file.content) === creation.digest,
    );
    if (renamed) followed.push([renamed.name, creation]);
  }
  return Object.fromEntries(followed);
}

/** Moves the entries of renamed files to their new names. A file with an id that already has an entry keeps it. */
function followRenames(files: AssistantFile[], lock: Lock): Lock {
  const names = files.filter(({ id }) => id !== undefined).map(({ name }) => name);
  const byId = new Map(
    files.filter(({ name }) => !Object.hasOwn(lock.assistants, name)).map(({ id, name }) => [id, name]),
  );
  const assistants = Object.entries(lock.assistants).map(([name, entry]) => {
    const isRenamed = !names.includes(name) && byId.has(entry.id);
    return [isRenamed ? byId.get(entry.id) : name, entry];
  });
  return { ...lock, assistants: Object.fromEntries(assistants), creating: followCreations(files, lock) };
}

/** Reads the names of the files of a folder. */
function listNames(path: string): string[] {
  return readdirSync(path)
    .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith('.') && name !== lockName)
    .toSorted();
}

/**
 * Reads a folder with all its files. Throws UserError that names every mistake, one per line, or if the folder belongs to another
 * API.
 */
export async function readFolder(path: string, api: string): Promise<Folder> {
  if (existsSync(path) && !statSync(path).isDirectory()) throw new UserError(`${path} is no folder`);
  const lock = readLock(path);
  if (lock && lock.api !== api)
    throw new UserError(`${path} was pulled from ${lock.api}, and this is ${api}: use a folder for each`);
  const names = existsSync(path) ? listNames(path) : [];
  const read = await Promise.all(names.map((name) => readFile(path, name)));
  const files = read.filter((one): one is AssistantFile => !Array.isArray(one));
  const mistakes = [...read.filter((one) => Array.isArray(one)).flat(), ...listSharedIds(path, files)];
  if (mistakes.length > 0) throw toError(mistakes);
  return { path, files, lock: lock && followRenames(files, lock) };
}
