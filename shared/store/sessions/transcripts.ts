import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { checkMaxValues, estimateMaxValues } from '../../domain/estimate-max-values.ts';
import type { StoredCall } from '../../domain/session.ts';
import * as files from '../files/files.ts';
import { isInFolder, toObjectKey } from '../files/folders.ts';

/**
 * Maximum size of a compressed transcript in the table, in bytes. Larger ones are stored in S3, which is cheaper from 4
 * KB on: a kilobyte in a transaction costs two write units at $1.25 per million, an S3 PUT $5 per million.
 */
const maxInlineBytes = 4_096;

/** A stored transcript, either inline in a row or as a file. */
export interface StoredTranscript {
  inline?: Uint8Array;
  file?: string;
  /** Uncompressed size in bytes. */
  bytes: number;
}

/** Maximum number of JSON values of a transcript. Lists parse several at once. */
const maxStoredValues = 500_000;

type Content = Pick<StoredCall, 'details' | 'items'>;

/**
 * Stores a large transcript as a file; returns a small one for its row. The file is written before the row that refers
 * to it, so that no row refers to a missing file. Its name is unique, so it can be deleted if writing the row fails.
 * One round trip if large. Throws TooLarge if it has more than 500,000 JSON values.
 */
export async function storeTranscript(
  owner: string,
  { session, details, items }: StoredCall,
): Promise<StoredTranscript> {
  const text = JSON.stringify({ details, items } satisfies Content);
  checkMaxValues(text, maxStoredValues, 'What is saved of a call or chat');
  const json = Buffer.from(text);
  const packed = zstdCompressSync(json);
  if (packed.length <= maxInlineBytes) return { inline: packed, bytes: json.length };
  const file = toObjectKey('transcripts', owner, session.session_id, randomUUID());
  await files.put(file, packed);
  return { file, bytes: json.length };
}

/**
 * True if a file is a transcript of an owner. Its name comes from a row, and some functions may write such rows, but not open files: look
 * before you open or delete the file that a row names.
 */
const isOwn = (owner: string, file: string): boolean => isInFolder(file, 'transcripts', owner);

/** Deletes the file of a transcript, unless it is another owner's. One round trip. */
export async function removeTranscript(owner: string, file: string): Promise<void> {
  if (isOwn(owner, file)) await files.remove(file);
}

/**
 * Loads a transcript. Undefined if its file is missing, which only happens while its session is deleted or replaced, or is another
 * owner's. Null if it has more than `maxValues` JSON values.
 */
export async function loadTranscript(
  owner: string,
  { inline, file }: Partial<StoredTranscript>,
  maxValues = Number.POSITIVE_INFINITY,
): Promise<Content | null | undefined> {
  const bytes = inline ?? (file && isOwn(owner, file) ? await files.get(file) : undefined);
  const json = bytes && zstdDecompressSync(bytes).toString();
  if (!json) return undefined;
  return estimateMaxValues(json) > maxValues ? null : JSON.parse(json);
}
