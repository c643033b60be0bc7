import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { uploadFormSeconds } from '../../domain/knowledge-base.ts';
import { env } from '../../env.ts';
import { TooLarge } from '../../errors.ts';
import * as files from '../files/files.ts';
import { toUploadKey } from './uploads.ts';

const maxMegabytes = Number(env('MAX_UPLOAD_MB'));
const maxBytes = maxMegabytes * 1_000_000;

/**
 * Creates a presigned form that uploads a document of exactly `sizeBytes` to S3. S3 cannot limit it to one use. No
 * round trip: the form is only signed. Throws TooLarge above the limit of this environment.
 */
export async function createUploadForm(
  owner: string,
  id: string,
  sizeBytes: number,
): Promise<{ url: string; fields: Record<string, string> }> {
  if (sizeBytes > maxBytes) {
    throw new TooLarge(
      ['body', 'size_bytes'],
      `A file may have at most ${maxMegabytes} MB here: split it, then upload its parts`,
    );
  }
  return createPresignedPost(files.client, {
    Bucket: files.Bucket,
    Key: toUploadKey(owner, id),
    Conditions: [['content-length-range', sizeBytes, sizeBytes]],
    Expires: uploadFormSeconds,
  });
}
