import { Unavailable } from '../../errors.ts';
import * as files from '../files/files.ts';
import { toObjectKey } from '../files/folders.ts';

/** Returns the object key of an uploaded document. */
export const toUploadKey = (owner: string, id: string): string => toObjectKey('uploads', owner, id);

/** Reference to a knowledge base, as in the object keys of its files. */
export interface KnowledgeBaseRef {
  owner: string;
  id: string;
}

/** Returns the knowledge base of an S3 event. Undefined if the file is in another folder, or has no owner. */
export function parseFileEvent(
  folder: 'uploads' | 'erasures',
  detail: Record<string, unknown>,
): KnowledgeBaseRef | undefined {
  const { key = '' } = (detail.object ?? {}) as { key?: string };
  const [fileFolder, owner, id, ...others] = key.split('/');
  return fileFolder === folder && owner && id && others.length === 0 ? { owner, id } : undefined;
}

/** Returns the knowledge base of an uploaded document's S3 event. Undefined for other events. */
export const parseUploadEvent = (detail: Record<string, unknown>): KnowledgeBaseRef | undefined =>
  parseFileEvent('uploads', detail);

/** Deletes an uploaded document. One round trip. */
export const removeUpload = ({ owner, id }: KnowledgeBaseRef): Promise<void> => files.remove(toUploadKey(owner, id));

/**
 * Stores a document, then its record with `writeRecord`, so that no record refers to a missing file. Deletes the file
 * if the write of the record is rejected. One round trip, plus those of `writeRecord`.
 */
export async function storeUpload(
  owner: string,
  id: string,
  bytes: Uint8Array,
  writeRecord: () => Promise<void>,
): Promise<void> {
  const key = toUploadKey(owner, id);
  await files.put(key, bytes);
  try {
    await writeRecord();
  } catch (error) {
    // After Unavailable, the write may have succeeded.
    if (!(error instanceof Unavailable)) await files.remove(key).catch(() => {});
    throw error;
  }
}
