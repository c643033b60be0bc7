import { hash } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { env } from '../env.ts';
import { attempt, patience } from './attempt.ts';
import type { Owned } from './uploads.ts';

const QueueUrl = env('READING_QUEUE_URL');
const client = new SQSClient({ ...patience, useQueueUrlAsEndpoint: false });

/** Number of an owner's documents that are read at once. */
const lanes = Number(env('READING_LANES'));

/**
 * Message group of a document. A FIFO queue hands out one message of a group at a time, and the next one when that is deleted:
 * however many documents an owner uploads, they never take more readers than it has lanes.
 */
const toMessageGroup = ({ owner, id }: Owned): string =>
  `${owner}-${Number(`0x${hash('sha256', id).slice(0, 8)}`) % lanes}`;

/**
 * Puts a document into the queue of those to be read, with the event of S3 that told of it. One round trip. The queue drops the same
 * document for five minutes: a form can be sent any number of times, and a reader takes the file that is there by then.
 */
export async function enqueueReading(upload: Owned, detail: object): Promise<void> {
  const MessageBody = JSON.stringify({ detail });
  await attempt(() =>
    client.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody,
        MessageGroupId: toMessageGroup(upload),
        MessageDeduplicationId: upload.id,
      }),
    ),
  );
}
