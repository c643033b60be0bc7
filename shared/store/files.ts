import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { env } from '../env.ts';
import { meter } from '../meter.ts';
import { attempt, patience } from './attempt.ts';

export const Bucket = env('BUCKET_NAME');
export const client = new S3Client(patience);

/** Stores a file, over one of the same key. One round trip. */
export async function put(key: string, body: Uint8Array): Promise<void> {
  meter.filesStored += 1;
  await attempt(() => client.send(new PutObjectCommand({ Bucket, Key: key, Body: body })));
}

/** Thrown of a file that has more bytes than are wanted. None of them is read. */
export class FileTooLarge extends Error {}

/** A file's bytes; undefined where there is none. One round trip. Throws FileTooLarge. */
export async function get(key: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
  meter.filesRead += 1;
  try {
    const bytes = await attempt(async () => {
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

/** Returns whether there is a file. One round trip. */
export async function exists(key: string): Promise<boolean> {
  try {
    await attempt(() => client.send(new HeadObjectCommand({ Bucket, Key: key })));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Deletes a file, also one that is not there. One round trip. */
export async function remove(key: string): Promise<void> {
  await attempt(() => client.send(new DeleteObjectCommand({ Bucket, Key: key })));
}
