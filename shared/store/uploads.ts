import { Unavailable } from '../errors.ts';
import * as files from './files.ts';
import { pathOf } from './folders.ts';

/** Documents as they came. */
export const uploadKey = (owner: string, id: string): string => pathOf('uploads', owner, id);

/** What a file is about. */
export interface Owned {
  owner: string;
  id: string;
}

/** What the file is about of which an event of S3 tells; undefined of one that is in another folder, or not a user's. */
export function ownerOf(folder: 'uploads' | 'erasures', detail: Record<string, unknown>): Owned | undefined {
  const { key = '' } = (detail.object ?? {}) as { key?: string };
  const [place, owner, id, ...others] = key.split('/');
  return place === folder && owner && id && others.length === 0 ? { owner, id } : undefined;
}

/** The document that an event of S3 tells of; undefined where it is another event. */
export const uploadAt = (detail: Record<string, unknown>): Owned | undefined => ownerOf('uploads', detail);

/**
 * Stores a document, and then what `record` writes, so that no record ever names a file that is not there. Where `record` is
 * refused, the file is deleted. One round trip, and those of `record`.
 */
export async function withUpload(
  owner: string,
  id: string,
  bytes: Uint8Array,
  record: () => Promise<void>,
): Promise<void> {
  const key = uploadKey(owner, id);
  await files.put(key, bytes);
  try {
    await record();
  } catch (error) {
    // A request that only failed may have been carried out.
    if (!(error instanceof Unavailable)) await files.remove(key).catch(() => {});
    throw error;
  }
}
