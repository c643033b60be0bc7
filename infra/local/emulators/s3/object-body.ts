import type { IncomingMessage } from 'node:http';
import { limitConcurrency } from '../../../../shared/limit-concurrency.ts';
import { maxUploadBytes } from '../../../../shared/schemas/knowledge-base.ts';
import { BodyTooLarge, readBody } from '../../body.ts';
import { S3Error } from './s3-error.ts';

/** Maximum body of a request to the local S3, in bytes: twice the largest document. */
export const maxObjectBytes = 100_000_000;

/** Maximum body of a form, in bytes: the largest document, and 100 KB for the other fields. */
export const maxFormBytes = maxUploadBytes + 100_000;

/** Number of forms whose bodies are in memory at once. Each takes several times its size while it is checked and stored. */
const maxForms = 2;

/** Time in which the body of a form has to arrive, in milliseconds. */
const maxFormMs = 60_000;

/** Handles a form when few others are in memory. */
export type FormQueue = <T>(form: IncomingMessage, handle: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue in which forms wait, unread, while others are in memory. It closes the connection of a form whose body does not arrive
 * within `maxMs` milliseconds.
 */
export function createFormQueue(maxMs = maxFormMs): FormQueue {
  const inTurn = limitConcurrency(maxForms);
  return (form, handle) =>
    inTurn(() => {
      const timer = setTimeout(() => form.destroy(), maxMs);
      form.once('close', () => clearTimeout(timer));
      return handle();
    });
}

/** Reads the body of a request to S3. Throws S3Error if it is too large. */
export const readObjectBody = (body: AsyncIterable<Buffer>, maxBytes = maxObjectBytes): Promise<Buffer<ArrayBuffer>> =>
  readBody(body, maxBytes).catch((error) => {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  });
