import * as files from './files.ts';
import { pathOf } from './folders.ts';
import { uploadKey } from './uploads.ts';

/**
 * What is searched of a document. A document has one such file, whichever attempt at reading it stores it: a repeat replaces
 * what one that died has left, and whoever deletes the document knows it without a record.
 */
const passagesKey = (owner: string, id: string): string => pathOf('passages', owner, id);

/** Stores what is searched of a document. The same document gives the same bytes. One round trip. */
export async function keepPassages(owner: string, id: string, index: Uint8Array): Promise<string> {
  const file = passagesKey(owner, id);
  await files.put(file, index);
  return file;
}

/** Deletes a document, and what was made of it. Two round trips at once. */
export async function removeDocument(owner: string, id: string): Promise<void> {
  await Promise.all([uploadKey(owner, id), passagesKey(owner, id)].map(files.remove));
}
