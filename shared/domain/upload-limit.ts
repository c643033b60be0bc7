import { findKindByMediaType, findKindByName, isPlainText } from '../reading/media-types.ts';
import { maxTextBytes, maxUploadBytes } from '../schemas/knowledge-base.ts';

/** Name and media type of a file, as its client declares them. */
interface DeclaredFile {
  file_name: string;
  content_type: string;
}

/** Returns true if a file is all text as its client declares it, or may be. */
function isDeclaredAsText({ file_name, content_type }: DeclaredFile): boolean {
  const kind = findKindByName(file_name) ?? findKindByMediaType(content_type);
  return kind === undefined || isPlainText(kind);
}

/** Returns the limit of a file's size, by its declared name and media type. */
export const getMaxUploadBytes = (file: DeclaredFile): number =>
  isDeclaredAsText(file) ? maxTextBytes : maxUploadBytes;
