import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startSqs } from '../../infra/local/emulators/sqs.ts';
import { Queue } from '../../infra/local/queues/queue.ts';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { Unavailable } from '../../shared/errors.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const dir = mkdtempSync(join(tmpdir(), 'reading-queue-test-'));
const arn = 'arn:aws:sqs:us-east-1:000000000000:documents';
const sqs = await startSqs(new Map([[arn, new Queue({ arn, dir, visibilityTimeout: 30 })]]));
const proxy = await startFaultyProxy(sqs.endpoint);
const table = await startFaultyProxy(inject('dynamoDb'));
useEmulator({
  AWS_ENDPOINT_URL_DYNAMODB: table.url,
  AWS_ENDPOINT_URL_SQS: proxy.url,
  READING_QUEUE_URL: `${proxy.url}/000000000000/documents`,
  READING_LANES: '3',
});
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
const { enqueueDocument } = await import('../../shared/store/knowledge-bases/ingestion-queue.ts');
const { clearMarker } = await import('../../shared/store/knowledge-bases/erasure.ts');

afterAll(async () => {
  proxy.stop();
  table.stop();
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
const alice = randomUUID();
const bob = randomUUID();

/** Inserts a knowledge base that waits for its document. */
async function insert(owner: string, id: string, fields: object = {}): Promise<void> {
  const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };
  await knowledgeBases.insert(owner, { ...buildKnowledgeBase('alice', document), id, ...fields }, []);
}

const enqueueForm = (id: string, owner = alice) => enqueueDocument({ owner, id }, { reason: 'POST Object' });
const enqueueFile = (id: string, sequencer: string) =>
  enqueueDocument({ owner: alice, id }, { reason: 'PutObject', object: { sequencer } });

beforeAll(async () => {
  const ids = [
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
    'g',
    'h',
    'not a uuid',
    ...Array.from({ length: 10 }, (_, i) => `form-${i}`),
  ];
  await Promise.all([insert(bob, 'a'), ...ids.map((id) => insert(alice, id))]);
});

it('sends simultaneous documents in one request, and each form of an owner once', async () => {
  await Promise.all([enqueueForm('a'), enqueueForm('b'), enqueueForm('a'), enqueueForm('a', bob)]);
  await enqueueForm('c');
  expect(requests.splice(0)).toEqual([['a', 'b', 'a'], ['c']]);
});

it('sends ten forms in one request', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, i) => enqueueForm(`form-${i}`)));
  expect(requests.splice(0)).toEqual([Array.from({ length: 10 }, (_, i) => `form-${i}`)]);
});

it('leaves out forms whose knowledge base is deleted, and sends no request without others', async () => {
  await insert(alice, 'hidden', { deleting: true });
  const queued = await Promise.all([
    enqueueForm('hidden'),
    enqueueForm('a'),
    enqueueForm('gone'),
    enqueueForm('c', bob),
  ]);
  expect(queued).toEqual([false, true, false, false]);
  expect(requests.splice(0)).toEqual([['a']]);
  expect(await enqueueForm('gone')).toBe(false);
  expect(await enqueueFile('gone', '01')).toBe(true); // files of the service arrive before their records
  expect(requests.splice(0)).toEqual([['gone-01']]);
});

it('asks the table once, and queues a document if that fails', async () => {
  for (const fault of ['throttle', 'fail', 'reset'] as const) {
    table.decide = (_, body) => (body.includes(bob) ? fault : 'pass');
    table.seen = [];
    const queued = await Promise.all([enqueueForm('gone', bob), enqueueForm('a'), enqueueForm('gone')]);
    expect(queued).toEqual([true, true, false]);
    expect(requests.splice(0)).toEqual([['gone', 'a']]);
    expect(await clearMarker({ owner: bob, id: 'gone' })).toBe(false);
    expect(table.seen).toEqual(['GetItem', 'GetItem', 'GetItem', 'GetItem']);
  }
  table.decide = () => 'pass';
});

it('sends a file again if it is overwritten, but not for a repeated event', async () => {
  await Promise.all([enqueueFile('h', '01'), enqueueFile('h', '02'), enqueueFile('h', '01'), enqueueForm('h')]);
  expect(requests.splice(0)).toEqual([['h-01', 'h-02', 'h']]);
});

it('rejects a file whose event does not say which write of it', async () => {
  await expect(enqueueDocument({ owner: alice, id: 'h' }, { reason: 'PutObject', object: {} })).rejects.toThrow(
    'no sequencer',
  );
  expect(requests).toEqual([]);
});

it('rejects only the documents that SQS rejects', async () => {
  const results = await Promise.allSettled([enqueueForm('d'), enqueueForm('not a uuid'), enqueueForm('e')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { message: expect.stringContaining('InvalidParameterValue') } });
});

it('rejects all documents of a failed request except those that are late, and still sends later ones', async () => {
  proxy.decide = () => 'fail';
  const results = await Promise.allSettled([enqueueForm('f'), enqueueForm('gone'), enqueueForm('g')]);
  expect(results).toEqual([
    { status: 'rejected', reason: expect.any(Unavailable) },
    { status: 'fulfilled', value: false },
    { status: 'rejected', reason: expect.any(Unavailable) },
  ]);
  proxy.decide = () => 'pass';
  await enqueueForm('f');
});
