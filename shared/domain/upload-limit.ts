import { extensions, type KindName } from '../reading/media-types.ts';
import { maxTextBytes, maxUploadBytes } from '../schemas/knowledge-base.ts';

/** Kinds of files that are all text. A file of any other kind may be much larger than its text. */
const textKinds: readonly KindName[] = ['txt', 'markdown', 'html', 'csv', 'json'];

const otherExtension =
  /\.(?:pdf|rtf|epub|do[ct][xm]|xl[st][xm]|p[op][ts][xm]|o[dt][tsp]|png|jpe?g|webp|tiff?|gif|bmp|jp2)$/i;
const otherMediaType =
  /^(?:application\/(?:pdf|rtf|epub|vnd\.)|image\/|message\/rfc822|text\/rtf)(?!.*\+(?:json|xml)$)/i;

/** Returns true if a file is text as its client declares it. A file that is declared as nothing else may be text, too. */
export function isDeclaredAsText({ file_name, content_type }: { file_name: string; content_type: string }): boolean {
  const extension = /\.(\w+)$/.exec(file_name.trim())?.[1]?.toLowerCase() ?? '';
  const kind = Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
  if (kind) return textKinds.includes(kind);
  return !otherExtension.test(file_name.trim()) && !otherMediaType.test(content_type.trim());
}

/** Returns the limit of a file's size, by its declared name and media type. Text up to its limit is always read. */
export const getMaxUploadBytes = (file: { file_name: string; content_type: string }): number =>
  isDeclaredAsText(file) ? maxTextBytes : maxUploadBytes;
