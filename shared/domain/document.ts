import { UnsupportedMediaType } from '../errors.ts';
import { detectKind } from '../reading/kind.ts';
import type { UploadedFile } from '../schemas/upload.ts';
import type { NewDocument } from './knowledge-base.ts';

const maxFileNameLength = 1_000;

/** Describes an uploaded file before it is parsed. Throws UnsupportedMediaType if its kind is not supported. */
export async function toNewDocument({
  file,
  name,
}: {
  file: UploadedFile;
  name?: string | null;
}): Promise<NewDocument> {
  const kind = await detectKind(file.bytes, { fileName: file.name, contentType: file.type });
  if (!kind) {
    const msg = 'Send a PDF, DOCX, text, Markdown, HTML, CSV or JSON file, or an image (PNG, JPEG, WebP, TIFF)';
    throw new UnsupportedMediaType(msg, ['body', 'file']);
  }
  return {
    name,
    file_name: [...file.name].slice(0, maxFileNameLength).join(''),
    content_type: kind.mediaType,
    size_bytes: file.bytes.length,
    sha256: file.sha256,
  };
}
