import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { uploadFormSeconds } from '../../domain/knowledge-base.ts';
import { getMaxUploadBytes } from '../../domain/upload-limit.ts';
import { env } from '../../env.ts';
import { TooLarge } from '../../errors.ts';
import type { NewUpload } from '../../schemas/knowledge-base.ts';
import * as files from '../files/files.ts';
import { toUploadKey } from './uploads.ts';

const maxMegabytes = Number(env('MAX_UPLOAD_MB'));
const maxBytes = maxMegabytes * 1_000_000;

type UploadedDocument = Pick<NewUpload, 'file_name' | 'content_type' | 'size_bytes'>;

/** Throws TooLarge if a file is larger than this environment accepts, or than a file of its kind may be. */
function checkSize(file: UploadedDocument): void {
  const loc = ['body', 'size_bytes'];
  const advice = 'split it, then upload its parts';
  if (file.size_bytes > maxBytes) {
    throw new TooLarge(loc, `A file may have at most ${maxMegabytes} MB here: ${advice}`);
  }
  if (file.size_bytes > getMaxUploadBytes(file)) {
    throw new TooLarge(
      loc,
      `A text, Markdown, HTML, CSV or JSON file, or one whose name and content_type say no kind, may have at most 10 MB: ${advice}`,
    );
  }
}

/**
 * Creates a presigned form that uploads a document of exactly its size to S3. S3 cannot limit it to one use. No
 * round trip: the form is only signed. Throws TooLarge above the limits of this environment and of the kind of file.
 */
export async function createUploadForm(
  owner: string,
  id: string,
  file: UploadedDocument,
): Promise<{ url: string; fields: Record<string, string> }> {
  checkSize(file);
  return createPresignedPost(files.client, {
    Bucket: files.Bucket,
    Key: toUploadKey(owner, id),
    Conditions: [['content-length-range', file.size_bytes, file.size_bytes]],
    Expires: uploadFormSeconds,
  });
}
