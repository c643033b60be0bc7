import { randomUUID } from 'node:crypto';
import * as files from './files.ts';

/** Stores what is searched of a document, under a name that no other version has. One round trip. */
export async function keepPassages(owner: string, id: string, index: Uint8Array): Promise<string> {
  const file = `passages/${owner}/${id}/${randomUUID()}`;
  await files.put(file, index);
  return file;
}
