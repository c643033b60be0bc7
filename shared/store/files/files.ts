import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { env } from '../../env.ts';
import { meter } from '../../telemetry/meter.ts';
import { clientOptions, tryAwsCall } from '../table/aws-call.ts';

export const Bucket = env('BUCKET_NAME');
export const client = new S3Client(clientOptions);

/** Stores a file, replacing any with the same key. A second per 5 MB is added to the usual time. One round trip. */
export async function put(key: string, body: Uint8Array): Promise<void> {
  meter.filesStored += 1;
  const requestTimeout = clientOptions.requestHandler.requestTimeout + body.length / 5_000;
  await tryAwsCall(() => client.send(new PutObjectCommand({ Bucket, Key: key, Body: body }), { requestTimeout }));
}

/** Thrown if a file is larger than allowed. Its content is not read. */
export class FileTooLarge extends Error {}

/** Returns the content of a file, or undefined if it does not exist. One round trip. Throws FileTooLarge. */
export async function get(key: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
  meter.filesRead += 1;
  try {
    const bytes = await tryAwsCall(async () => {
      const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
      if (ContentLength <= maxBytes) return Body?.transformToByteArray();
      (Body as { destroy?(): void } | undefined)?.destroy?.();
      return 'too large' as const;
    });
    if (bytes === 'too large') throw new FileTooLarge();
    return bytes;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** Returns true if a file exists. One round trip. */
export async function exists(key: string): Promise<boolean> {
  try {
    await tryAwsCall(() => client.send(new HeadObjectCommand({ Bucket, Key: key })));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Deletes a file, if it exists. One round trip. */
export async function remove(key: string): Promise<void> {
  await tryAwsCall(() => client.send(new DeleteObjectCommand({ Bucket, Key: key })));
}
