import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../typescript/src/client.ts';
import { defaultFolder, readAssistantText } from './assistants/folder.ts';
import { getFormat, parseFile } from './assistants/format.ts';
import { UserError } from './errors.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads the id in the file of an assistant. Throws UserError if it has none. */
function readId(path: string): string {
  let id: unknown;
  try {
    ({ id } = parseFile(getFormat(path), readAssistantText(path)));
  } catch (error) {
    throw new UserError(`${path}: ${(error as Error).message}`);
  }
  if (typeof id === 'string' && uuid.test(id)) return id;
  throw new UserError(`${path} has no id yet: run assistants push first`);
}

/** An assistant that the user named, with its file if that is what the user named. */
export interface FoundAssistant {
  id: string;
  file?: string;
}

/**
 * Finds an assistant by its id, its file, the name of its file in the default folder, or its own name. Throws UserError if no
 * assistant matches, or several do.
 */
export async function findAssistant(client: Client, text: string): Promise<FoundAssistant> {
  if (uuid.test(text)) return { id: text };
  const files = [text, ...['yaml', 'yml', 'json'].map((ending) => join(defaultFolder, `${text}.${ending}`))];
  const file = files.find((path) => /\.(ya?ml|json)$/.test(path) && existsSync(path));
  if (file) return { id: readId(file), file };
  const found: string[] = [];
  for await (const { id, name } of client.list('/assistants', { query: { name: text } }))
    if (name === text) found.push(id);
  const [id] = found;
  if (id === undefined) throw new UserError(`There is no assistant ${text}: pass an id, a file, or the whole name`);
  if (found.length > 1)
    throw new UserError(`${found.length} assistants have the name ${text}: pass an id (${found.join(', ')})`);
  return { id };
}

/** Returns the id of an assistant. Throws UserError as findAssistant does. */
export const findAssistantId = async (client: Client, text: string): Promise<string> =>
  (await findAssistant(client, text)).id;
