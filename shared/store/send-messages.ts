import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { toBatches } from './batches.ts';
import { clientOptions, tryAwsCall } from './table/aws-call.ts';

const client = new SQSClient({ ...clientOptions, useQueueUrlAsEndpoint: false });

/** Maximum number of messages of one request to SQS. */
const maxEntries = 10;

/** Message to send. `detail` is its content. */
export interface NewMessage extends Omit<SendMessageBatchRequestEntry, 'Id' | 'MessageBody'> {
  detail: object;
}

/**
 * Sends messages to a queue. Returns for each the error if SQS rejected it, undefined if it did not. One concurrent round trip per ten.
 * Throws Unavailable.
 */
export async function sendMessages(QueueUrl: string, messages: readonly NewMessage[]): Promise<(Error | undefined)[]> {
  const sendBatch = async (batch: readonly NewMessage[]) => {
    const Entries = batch.map(({ detail, ...options }, i) => ({
      Id: String(i),
      MessageBody: JSON.stringify({ detail }),
      ...options,
    }));
    const { Failed = [] } = await tryAwsCall(() => client.send(new SendMessageBatchCommand({ QueueUrl, Entries })));
    const errors = new Map(
      Failed.map(({ Id, Code, Message }) => [Id, new Error(`SQS rejected the message: ${Code} ${Message}`)]),
    );
    return Entries.map(({ Id }) => errors.get(Id));
  };
  return (await Promise.all(toBatches(messages, maxEntries).map(sendBatch))).flat();
}
