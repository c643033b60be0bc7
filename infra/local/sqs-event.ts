import { createHash, randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';

/** A message as a queue keeps it. */
export interface Message {
  messageId: string;
  body: string;
  /** Milliseconds since 1970, as is the next. */
  sentAt: number;
  firstReceivedAt?: number;
  receiveCount: number;
  /** Group of a message in a FIFO queue. */
  group?: string;
}

/** A message as a function gets it from the queue of this ARN. */
export const recordOf = (message: Message, arn: string): SQSRecord => ({
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

/** The failed messages of a batch by the function's answer: all of them where it is none that Lambda understands. */
export function failedOf(batch: Message[], answer: unknown): Message[] {
  if (typeof (answer ?? {}) !== 'object') return batch;
  const { batchItemFailures: failures } = (answer ?? {}) as Partial<SQSBatchResponse>;
  if (!Array.isArray(failures ?? [])) return batch;
  const ids = new Set((failures ?? []).map((failure) => failure?.itemIdentifier));
  const failed = batch.filter(({ messageId }) => ids.has(messageId));
  return failed.length < ids.size ? batch : failed;
}
