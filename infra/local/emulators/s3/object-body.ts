import { BodyTooLarge, readBody } from '../../body.ts';
import { S3Error } from './s3-error.ts';

/** Maximum body of a request to the local S3, in bytes: twice the largest document. */
export const maxObjectBytes = 100_000_000;

/** Reads the body of a request to S3. Throws S3Error if it is too large. */
export const readObjectBody = (body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> =>
  readBody(body, maxObjectBytes).catch((error) => {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  });
