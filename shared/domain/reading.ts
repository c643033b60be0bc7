import { kindOf } from '../reading/kind.ts';
import { ocr } from '../reading/ocr.ts';
import { read } from '../reading/read.ts';
import { Unreadable } from '../reading/unreadable.ts';
import type { Reason } from '../schemas/common.ts';
import { encodeIndex } from '../search/encode.ts';
import { passagesOf } from '../search/passages.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';

/** What was made of a document: what is searched, and facts about it … */
export interface Readable {
  content_type: string;
  char_count: number;
  chunk_count: number;
  index: Uint8Array;
}

/** … or why nothing was. */
export interface NotReadable {
  content_type?: string;
  reason: Reason;
  /** What a library threw, for the log: it may be a fault of ours. */
  cause?: unknown;
}

/** Reads a document until a deadline, in milliseconds since 1970. Whatever the bytes are, it ends with one or the other. */
export async function readDocument(
  bytes: Uint8Array,
  { file_name, content_type }: Pick<StoredKnowledgeBase, 'file_name' | 'content_type'>,
  deadline: number,
): Promise<Readable | NotReadable> {
  const kind = await kindOf(bytes, { fileName: file_name, contentType: content_type });
  if (!kind) return { reason: failures.unsupported };
  try {
    const pages = await read(bytes, kind, { ocr, deadline });
    const passages = passagesOf(pages);
    return {
      content_type: kind.mediaType,
      char_count: pages.reduce((sum, { text }) => sum + text.length, 0),
      chunk_count: passages.length,
      index: encodeIndex(passages),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { content_type: kind.mediaType, reason: { type: error.reason, msg: error.message }, cause: error.cause };
  }
}

/** Why a document failed, over what keeps it from being read. */
export const failures = {
  unsupported: {
    type: 'unsupported',
    msg: 'The file is of a kind that is not read: upload a PDF, DOCX, text, Markdown, HTML, CSV or JSON file, or an image',
  },
  too_large: { type: 'too_large', msg: 'A file may have at most 50 MB: split it, then upload its parts' },
  replaced: {
    type: 'replaced',
    msg: 'Another file came by the same form while this one was read: delete it, then upload the right one',
  },
  too_complex: {
    type: 'too_complex',
    msg: 'Reading the file takes more memory or time than there is: split it, or save it in a simpler form, then upload it again',
  },
  internal: { type: 'internal', msg: 'Reading the file failed on our side: delete it, then upload it again' },
} as const satisfies Record<string, Reason>;
