import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { formSeconds } from '../domain/knowledge-base.ts';
import { env } from '../env.ts';
import { TooLarge } from '../errors.ts';
import * as files from './files.ts';
import { uploadKey } from './uploads.ts';

const megabytes = Number(env('MAX_UPLOAD_MB'));
const maxBytes = megabytes * 1_000_000;

/**
 * A form by which a client sends a document straight to S3, of exactly so many bytes, to one place. It cannot be made to work once
 * only. No round trip: it is only signed. Throws TooLarge above what this environment takes.
 */
export async function formFor(
  owner: string,
  id: string,
  sizeBytes: number,
): Promise<{ url: string; fields: Record<string, string> }> {
  if (sizeBytes > maxBytes) {
    throw new TooLarge(
      ['body', 'size_bytes'],
      `A file may have at most ${megabytes} MB here: split it, then upload its parts`,
    );
  }
  return createPresignedPost(files.client, {
    Bucket: files.Bucket,
    Key: uploadKey(owner, id),
    Conditions: [['content-length-range', sizeBytes, sizeBytes]],
    Expires: formSeconds,
  });
}
