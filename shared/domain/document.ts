import { UnsupportedMediaType } from '../errors.ts';
import { kindOf } from '../reading/kind.ts';
import type { UploadedFile } from '../schemas/upload.ts';
import type { NewDocument } from './knowledge-base.ts';

const maxFileName = 1_000;

/** What is known of an uploaded file before it is read. Throws UnsupportedMediaType where it is of no kind that is read. */
export async function documentOf({ file, name }: { file: UploadedFile; name?: string | null }): Promise<NewDocument> {
  const kind = await kindOf(file.bytes, { fileName: file.name, contentType: file.type });
  if (!kind) {
    const msg = 'Send a PDF, DOCX, text, Markdown, HTML, CSV or JSON file, or an image (PNG, JPEG, WebP, TIFF)';
    throw new UnsupportedMediaType(msg, ['body', 'file']);
  }
  return {
    name,
    file_name: [...file.name].slice(0, maxFileName).join(''),
    content_type: kind.mediaType,
    size_bytes: file.bytes.length,
    sha256: file.sha256,
  };
}
