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

/** Content of an S3 event, as far as queues use it. */
export interface FileEvent {
  /** API call that wrote the file. */
  reason?: string;
  object?: { key?: string; sequencer?: string };
}

/** Returns an id of the write of a file that an S3 event tells of. Repeated events of one write have the same. */
export function toWriteId({ id }: KnowledgeBaseRef, { object }: FileEvent): string {
  if (object?.sequencer === undefined) throw new Error('The S3 event has no sequencer');
  return `${id}-${object.sequencer}`;
}

/** Returns the knowledge base of an S3 event. Undefined if the file is in another folder, or has no owner. */
export function parseFileEvent(folder: 'uploads' | 'erasures', { object }: FileEvent): KnowledgeBaseRef | undefined {
  const { key = '' } = object ?? {};
  const [fileFolder, owner, id, ...others] = key.split('/');
  return fileFolder === folder && owner && id && others.length === 0 ? { owner, id } : undefined;
}

/** Returns the knowledge base of an uploaded document's S3 event. Undefined for other events. */
export const parseUploadEvent = (detail: FileEvent): KnowledgeBaseRef | undefined => parseFileEvent('uploads', detail);

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
