import { createHash, randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';

/** A message as a queue stores it. */
export interface Message {
  messageId: string;
  body: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  /** Milliseconds since 1970. */
  firstReceivedAt?: number;
  receiveCount: number;
  group?: string;
  /** End of the message's delay, in milliseconds since 1970. */
  visibleAt?: number;
}

/** Converts a message to the record that a function receives from the queue with this ARN. */
export const toRecord = (message: Message, arn: string): SQSRecord => ({
  messageId: message.messageId,
  receiptHandle: randomUUID(),
  body: message.body,
  attributes: {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentAt),
    SenderId: '000000000000',
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.group !== undefined && { MessageGroupId: message.group }),
  },
  messageAttributes: {},
  md5OfBody: createHash('md5').update(message.body).digest('hex'),
  eventSource: 'aws:sqs',
  eventSourceARN: arn,
  awsRegion: 'us-east-1',
});

/** Lists the failed messages of a batch according to the function's result. Returns all of them if the result is invalid, as Lambda does. */
export function listFailedMessages(batch: Message[], answer: unknown): Message[] {
  if (typeof (answer ?? {}) !== 'object') return batch;
  const { batchItemFailures: failures } = (answer ?? {}) as Partial<SQSBatchResponse>;
  if (!Array.isArray(failures ?? [])) return batch;
  const ids = new Set((failures ?? []).map((failure) => failure?.itemIdentifier));
  const failed = batch.filter(({ messageId }) => ids.has(messageId));
  return failed.length < ids.size ? batch : failed;
}
