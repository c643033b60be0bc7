import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Call } from '../domain/session.ts';
import * as files from './files.ts';
import { pathOf } from './folders.ts';

/**
 * Compressed transcripts up to this many bytes lie in the table, larger ones in S3. In a transaction a kilobyte costs two
 * write units, $1.25 a million, and an S3 PUT $5: from four kilobytes on, S3 is cheaper.
 */
const maxInline = 4_096;

/** Where a transcript is: in the row itself, or in a file. */
export interface Kept {
  inline?: Uint8Array;
  file?: string;
  /** Its size once unpacked, in bytes. */
  bytes: number;
}

type Content = Pick<Call, 'details' | 'items'>;

/**
 * Keeps a transcript. A file is written before the row that names it, so that no row ever names what is not there, and under a
 * name of its own, so that who fails to name it may delete it. One round trip where it is large, else none.
 */
export async function keep(owner: string, { session, details, items }: Call): Promise<Kept> {
  const json = Buffer.from(JSON.stringify({ details, items } satisfies Content));
  const packed = zstdCompressSync(json);
  if (packed.length <= maxInline) return { inline: packed, bytes: json.length };
  const file = pathOf('transcripts', owner, session.session_id, randomUUID());
  await files.put(file, packed);
  return { file, bytes: json.length };
}

/** A kept transcript; undefined where its file is gone, which happens only while its session is being deleted or told anew. */
export async function content({ inline, file }: Partial<Kept>): Promise<Content | undefined> {
  const bytes = inline ?? (file && (await files.get(file)));
  return bytes ? JSON.parse(zstdDecompressSync(bytes).toString()) : undefined;
}
