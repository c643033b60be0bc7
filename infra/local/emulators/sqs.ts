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
  DelaySeconds?: number;
}

interface SendMessageBatch {
  QueueUrl: string;
  Entries: Entry[];
}

const maxEntries = 10;

const maxDelaySeconds = 900;

/** True if the ids of an entry are 1 to 128 letters, digits and punctuation marks, and its delay is allowed. */
const isValid = ({ MessageGroupId, MessageDeduplicationId, DelaySeconds = 0 }: Entry): boolean =>
  [MessageGroupId, MessageDeduplicationId].every((id) => id === undefined || /^[!-~]{1,128}$/.test(id)) &&
  Number.isInteger(DelaySeconds) &&
  DelaySeconds >= 0 &&
  DelaySeconds <= maxDelaySeconds;

/** Sends a batch, and accepts or rejects each message separately. Throws ServiceError if the batch as a whole is invalid. */
function sendBatch(queue: Queue, entries: Entry[]): object {
  if (entries.length === 0) throw new ServiceError('EmptyBatchRequest');
  if (entries.length > maxEntries) throw new ServiceError('TooManyEntriesInBatchRequest');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) throw new ServiceError('BatchEntryIdsNotDistinct');
  const { valid = [], invalid = [] } = Object.groupBy(entries, (entry) => (isValid(entry) ? 'valid' : 'invalid'));
  return {
    Successful: valid.map(({ Id, MessageBody, MessageGroupId, MessageDeduplicationId, DelaySeconds }) => ({
      Id,
      MessageId: queue.send(MessageBody, {
        group: MessageGroupId,
        deduplicationId: MessageDeduplicationId,
        delaySeconds: DelaySeconds,
      }),
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    })),
    Failed: invalid.map(({ Id }) => ({
      Id,
      SenderFault: true,
      Code: 'InvalidParameterValue',
      Message: 'A group, deduplication id or delay is out of its bounds',
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
