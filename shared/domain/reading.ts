import { kindOf } from '../reading/kind.ts';
import { ocr } from '../reading/ocr.ts';
import { read } from '../reading/read.ts';
import { Unreadable } from '../reading/unreadable.ts';
import { encodeIndex, TooManyTerms } from '../search/encode.ts';
import { passagesOf } from '../search/passages.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';
import { failures, type ReadResult, toErrorPlace } from './read-result.ts';

/** What a client says of its file. */
export type Hint = Pick<StoredKnowledgeBase, 'file_name' | 'content_type'>;

/** Reads a document, whatever its bytes are. Not bounded in time and memory: `shared/parser` runs it in a process that is. */
export async function readDocument(
  bytes: Uint8Array,
  { file_name, content_type }: Hint,
  onProgress: () => void,
): Promise<ReadResult> {
  const kind = await kindOf(bytes, { fileName: file_name, contentType: content_type });
  if (!kind) return { reason: failures.unsupported };
  try {
    const pages = await read(bytes, kind, { ocr, onProgress });
    const passages = passagesOf(pages);
    return {
      content_type: kind.mediaType,
      char_count: pages.reduce((sum, { text }) => sum + text.length, 0),
      chunk_count: passages.length,
      index: encodeIndex(passages),
    };
  } catch (error) {
    if (error instanceof TooManyTerms) return { content_type: kind.mediaType, reason: failures.too_complex };
    if (!(error instanceof Unreadable)) throw error;
    const cause = error.cause instanceof Error ? toErrorPlace(error.cause) : undefined;
    return { content_type: kind.mediaType, reason: { type: error.reason, msg: error.message }, cause };
  }
}
