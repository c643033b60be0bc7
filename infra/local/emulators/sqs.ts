import { createHash } from 'node:crypto';
import type { Queue } from '../queues/queue.ts';
import { toArn } from '../template.ts';
import type { Emulator } from './emulator.ts';
import { ServiceError, serveJson } from './json-service.ts';

interface Entry {
  Id: string;
  MessageBody: string;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

interface SendMessageBatch {
  QueueUrl: string;
  Entries: Entry[];
}

const maxEntries = 10;

/** True if the ids of an entry are 1 to 128 letters, digits and punctuation marks. */
const hasValidIds = ({ MessageGroupId, MessageDeduplicationId }: Entry): boolean =>
  [MessageGroupId, MessageDeduplicationId].every((id) => id === undefined || /^[!-~]{1,128}$/.test(id));

/** Sends a batch, and accepts or rejects each message separately. Throws ServiceError if the batch as a whole is invalid. */
function sendBatch(queue: Queue, entries: Entry[]): object {
  if (entries.length === 0) throw new ServiceError('EmptyBatchRequest');
  if (entries.length > maxEntries) throw new ServiceError('TooManyEntriesInBatchRequest');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) throw new ServiceError('BatchEntryIdsNotDistinct');
  const { valid = [], invalid = [] } = Object.groupBy(entries, (entry) => (hasValidIds(entry) ? 'valid' : 'invalid'));
  return {
    Successful: valid.map(({ Id, MessageBody, MessageGroupId, MessageDeduplicationId }) => ({
      Id,
      MessageId: queue.send(MessageBody, MessageGroupId, MessageDeduplicationId),
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    })),
    Failed: invalid.map(({ Id }) => ({
      Id,
      SenderFault: true,
      Code: 'InvalidParameterValue',
      Message: 'MessageGroupId and MessageDeduplicationId can only include alphanumeric and punctuation characters',
    })),
  };
}

/** Starts an SQS that accepts messages, the only operation that functions use. The host delivers the messages (infra/local/lambda/event-sources.ts). */
export const startSqs = (queues: Map<string, Queue>): Promise<Emulator> =>
  serveJson('AmazonSQS.', {
    SendMessageBatch({ QueueUrl, Entries }: SendMessageBatch) {
      const queue = queues.get(toArn('sqs', QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)));
      if (!queue) throw new ServiceError('QueueDoesNotExist');
      return sendBatch(queue, Entries);
    },
  });
