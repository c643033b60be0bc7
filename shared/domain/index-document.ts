import { detectKind } from '../reading/kind.ts';
import type { OcrLanguages } from '../reading/languages.ts';
import type { Ocr } from '../reading/ocr.ts';
import { parseFile } from '../reading/parse-file.ts';
import { explainUnsupported, Unreadable } from '../reading/unreadable.ts';
import type { Warning } from '../reading/warnings.ts';
import { detectLanguage } from '../search/common-words.ts';
import { encodeIndex, IndexTooLarge } from '../search/encode.ts';
import { splitPassages } from '../search/passages.ts';
import { type IngestionResult, toErrorLocation } from './ingestion-result.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';

/** File name and media type that the client sent, and the languages of its pictures. */
export interface FileHint extends Pick<StoredKnowledgeBase, 'file_name' | 'content_type'> {
  languages: OcrLanguages;
}

/** Creates OCR that is loaded with the first picture. Most documents have none. */
function createLazyOcr(languages: OcrLanguages): Ocr {
  let loaded: Promise<Ocr> | undefined;
  return async (image, picture) => {
    loaded ??= import('../reading/ocr.ts').then(({ createOcr }) => createOcr(languages, detectLanguage));
    return (await loaded)(image, picture);
  };
}

/** Warning of a document with more different words than an index has. */
const termsOmitted: Warning = {
  type: 'words_left_out',
  msg: 'The file has more than a million different words, or 40 MB of them, and searches do not find those that come last: split it, then upload its parts',
};

/** Parses a document and builds its search index. Call it through `shared/parser`, which limits its time and memory. */
export async function indexDocument(
  bytes: Uint8Array,
  { file_name, content_type, languages }: FileHint,
  onProgress: () => void,
): Promise<IngestionResult> {
  const kind = await detectKind(bytes, { fileName: file_name, contentType: content_type });
  if (!kind) return { reason: { type: 'unsupported', msg: explainUnsupported(bytes) } };
  try {
    const { pages, warnings } = await parseFile(bytes, kind, { ocr: createLazyOcr(languages), onProgress });
    const passages = splitPassages(pages);
    onProgress();
    const onTermsOmitted = () => void warnings.push(termsOmitted);
    const index = encodeIndex(passages, { onProgress, onTermsOmitted });
    return {
      content_type: kind.mediaType,
      char_count: pages.reduce((sum, { text }) => sum + text.length, 0),
      chunk_count: passages.length,
      warnings,
      index,
    };
  } catch (thrown) {
    const error = thrown instanceof IndexTooLarge ? new Unreadable('too_large') : thrown;
    if (!(error instanceof Unreadable)) throw error;
    const cause = error.cause instanceof Error ? toErrorLocation(error.cause) : undefined;
    return { content_type: kind.mediaType, reason: { type: error.reason, msg: error.message }, cause };
  }
}
