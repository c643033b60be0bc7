import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startSqs } from '../../infra/local/emulators/sqs.ts';
import { Queue } from '../../infra/local/queues/queue.ts';
import { Unavailable } from '../../shared/errors.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const dir = mkdtempSync(join(tmpdir(), 'reading-queue-test-'));
const arn = 'arn:aws:sqs:us-east-1:000000000000:documents';
const sqs = await startSqs(new Map([[arn, new Queue({ arn, dir, visibilityTimeout: 30 })]]));
const proxy = await startFaultyProxy(sqs.endpoint);
useEmulator({
  AWS_ENDPOINT_URL_SQS: proxy.url,
  READING_QUEUE_URL: `${proxy.url}/000000000000/documents`,
  READING_LANES: '3',
});
const { enqueueDocument } = await import('../../shared/store/knowledge-bases/ingestion-queue.ts');

afterAll(async () => {
  proxy.stop();
  await sqs.stop();
  rmSync(dir, { recursive: true });
});

/** Deduplication ids of each request to SQS. */
const requests: string[][] = [];
proxy.decide = (_, body) => {
  const { Entries }: { Entries: { MessageDeduplicationId: string }[] } = JSON.parse(body.toString());
  requests.push(Entries.map(({ MessageDeduplicationId }) => MessageDeduplicationId));
  return 'pass';
};
const enqueueForm = (id: string, owner = 'alice') => enqueueDocument({ owner, id }, { reason: 'POST Object' });
const enqueueFile = (id: string, sequencer: string) =>
  enqueueDocument({ owner: 'alice', id }, { reason: 'PutObject', object: { sequencer } });

it('sends simultaneous documents in one request, and each form of an owner once', async () => {
  await Promise.all([enqueueForm('a'), enqueueForm('b'), enqueueForm('a'), enqueueForm('a', 'bob')]);
  await enqueueForm('c');
  expect(requests.splice(0)).toEqual([['a', 'b', 'a'], ['c']]);
});

it('sends a file again if it is overwritten, but not for a repeated event', async () => {
  await Promise.all([enqueueFile('h', '01'), enqueueFile('h', '02'), enqueueFile('h', '01'), enqueueForm('h')]);
  expect(requests.splice(0)).toEqual([['h-01', 'h-02', 'h']]);
});

it('rejects only the documents that SQS rejects', async () => {
  const results = await Promise.allSettled([enqueueForm('d'), enqueueForm('not a uuid'), enqueueForm('e')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { message: expect.stringContaining('InvalidParameterValue') } });
});

it('rejects all documents of a failed request, and still sends later ones', async () => {
  proxy.decide = () => 'fail';
  const results = await Promise.allSettled([enqueueForm('f'), enqueueForm('g')]);
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([
    expect.any(Unavailable),
    expect.any(Unavailable),
  ]);
  proxy.decide = () => 'pass';
  await enqueueForm('f');
});
