import { UnsupportedMediaType } from '../errors.ts';
import { detectKind } from '../reading/kind.ts';
import type { OcrLanguage } from '../reading/languages.ts';
import { explainUnsupported } from '../reading/unreadable.ts';
import type { UploadedFile } from '../schemas/upload.ts';
import type { NewDocument } from './knowledge-base.ts';

const maxFileNameLength = 1_000;

/** Describes an uploaded file before it is parsed. Throws UnsupportedMediaType if its kind is not supported. */
export async function toNewDocument(
  { file, name }: { file: UploadedFile; name?: string | null | undefined },
  languages: OcrLanguage[] | undefined,
): Promise<NewDocument> {
  const kind = await detectKind(file.bytes, { fileName: file.name, contentType: file.type });
  if (!kind) throw new UnsupportedMediaType(explainUnsupported(file.bytes), ['body', 'file']);
  return {
    name,
    file_name: [...file.name].slice(0, maxFileNameLength).join(''),
    content_type: kind.mediaType,
    size_bytes: file.bytes.length,
    sha256: file.sha256,
    languages,
  };
}
