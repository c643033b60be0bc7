import * as files from '../files/files.ts';
import { toObjectKey } from '../files/folders.ts';
import { toUploadKey } from './uploads.ts';

/**
 * Returns the object key of a document's search index. All attempts use the same key, so that a retry replaces the file
 * of a crashed attempt, and a deletion needs no record to find it.
 */
export const toPassagesKey = (owner: string, id: string): string => toObjectKey('passages', owner, id);

/**
 * Stores the search index of a document, and returns its object key. Equal documents have equal indexes. One round
 * trip.
 */
export async function storePassages(owner: string, id: string, index: Uint8Array): Promise<string> {
  const file = toPassagesKey(owner, id);
  await files.put(file, index);
  return file;
}

/** Deletes a document and its search index. Two concurrent round trips. */
export async function removeDocument(owner: string, id: string): Promise<void> {
  await Promise.all([toUploadKey(owner, id), toPassagesKey(owner, id)].map(files.remove));
}
