import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { startSqs } from '../../infra/local/emulators/sqs.ts';
import { Queue } from '../../infra/local/queues/queue.ts';

const dir = mkdtempSync(join(tmpdir(), 'sqs-test-'));
const arn = 'arn:aws:sqs:us-east-1:000000000000:work';
const queue = new Queue({ arn, dir, visibilityTimeout: 30 });
const sqs = await startSqs(new Map([[arn, queue]]));
const client = new SQSClient({ endpoint: sqs.endpoint, region: 'us-east-1', credentials });
const received: string[] = [];
queue.deliver({
  ...{ batchSize: 1, concurrency: 1, reportsFailures: false, retrySeconds: 1, log: () => {} },
  handle: async ({ Records }) => received.push(...Records.map(({ body }) => body)),
});

afterAll(async () => {
  client.destroy();
  await queue.stop();
  await sqs.stop();
  rmSync(dir, { recursive: true });
});

const send = (Entries: SendMessageBatchRequestEntry[], name = 'work') =>
  client.send(new SendMessageBatchCommand({ QueueUrl: `${sqs.endpoint}/000000000000/${name}`, Entries }));
const entry = (Id: string, MessageGroupId = 'group') => ({
  ...{ Id, MessageBody: `body ${Id}`, MessageGroupId, MessageDeduplicationId: Id },
});

describe('a batch of messages to SQS', () => {
  it('accepts all messages except those with an invalid group or deduplication id', async () => {
    const MessageDeduplicationId = 'ü';
    const { Successful = [], Failed } = await send([
      ...[entry('a'), entry('b', 'with space'), entry('c')],
      ...[entry('d', 'x'.repeat(129)), { ...entry('e'), MessageDeduplicationId }],
    ]);
    expect(Successful.map(({ Id }) => Id)).toEqual(['a', 'c']);
    const refusal = { SenderFault: true, Code: 'InvalidParameterValue', Message: expect.any(String) };
    expect(Failed).toEqual(['b', 'd', 'e'].map((Id) => ({ Id, ...refusal })));
    await expect.poll(() => received).toEqual(['body a', 'body c']);
  });

  it.each<[string, SendMessageBatchRequestEntry[]]>([
    ['EmptyBatchRequest', []],
    ['TooManyEntriesInBatchRequest', [...'abcdefghijk'].map((id) => entry(id))],
    ['BatchEntryIdsNotDistinct', [entry('a'), entry('b'), entry('a')]],
  ])('is rejected as a whole: %s', async (name, entries) => {
    await expect(send(entries)).rejects.toMatchObject({ name, $fault: 'client' });
  });

  it('is rejected if the queue does not exist', async () => {
    await expect(send([entry('a')], 'none')).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});
