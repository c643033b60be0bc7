import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { type Delivery, Queue } from '../../infra/local/queues/queue.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-queue-'));
const queues: Queue[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  rmSync(root, { recursive: true });
});

const arn = 'arn:aws:sqs:us-east-1:000000000000:work';
const dir = join(root, 'work');
const failedDir = join(root, 'failed');

/** Opens the queue with its dead-letter queue. Failed messages return after 10 milliseconds. */
function openQueue(maxReceiveCount = 3, fifo = false): Queue {
  const failed = new Queue({ arn: `${arn}-failed`, dir: failedDir, visibilityTimeout: 30 });
  const queue = new Queue({ arn, dir, visibilityTimeout: 0.01, fifo, redrive: { queue: failed, maxReceiveCount } });
  queues.push(queue);
  return queue;
}

const openFifoQueue = (maxReceiveCount = 3): Queue => openQueue(maxReceiveCount, true);

/** Delivers to a function. Returns a growing list of the events: the body and receive count of each message. */
function deliver(queue: Queue, handle: Delivery['handle'], how: Partial<Delivery> = {}): string[][] {
  const events: string[][] = [];
  const log = () => {};
  const toSummaries = ({ Records }: SQSEvent) =>
    Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`);
  queue.deliver({
    ...{ batchSize: 1, concurrency: 1, reportsFailures: false, retrySeconds: 1, log },
    ...how,
    handle: (event) => {
      events.push(toSummaries(event));
      return handle(event);
    },
  });
  return events;
}

const eventually = (look: () => unknown) => expect.poll(() => look(), { interval: 5 });
const readStored = (folder = dir) =>
  readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).body as string);
const succeed = async () => {};

describe('a queue', () => {
  it('delivers a message in the format of SQS, and deletes it on success', async () => {
    const queue = openQueue();
    const events: SQSEvent[] = [];
    deliver(queue, async (event) => events.push(event));
    const before = Date.now();
    queue.send('{"a":"ä"}');
    await eventually(readStored).toEqual([]);
    const [record] = events[0]?.Records ?? [];
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.stringMatching(/^[\da-f-]{36}$/),
            receiptHandle: expect.any(String),
            body: '{"a":"ä"}',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: expect.stringMatching(/^\d{13}$/),
              SenderId: expect.any(String),
              ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
            },
            messageAttributes: {},
            md5OfBody: '9b270208369bdf2596b2c5abc12bbe19',
            eventSource: 'aws:sqs',
            eventSourceARN: arn,
            awsRegion: 'us-east-1',
          },
        ],
      },
    ]);
    expect(Number(record?.attributes.SentTimestamp)).toBeGreaterThanOrEqual(before);
  });

  it('redelivers a message until its function succeeds', async () => {
    const queue = openQueue();
    let calls = 0;
    const events = deliver(queue, async () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
    });
    queue.send('a');
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a 1'], ['a 2'], ['a 3']]);
    expect(readStored(failedDir)).toEqual([]);
  });

  it('moves a message to the dead-letter queue after its maximum receives', async () => {
    const queue = openQueue(2);
    const log: string[] = [];
    const events = deliver(
      queue,
      async () => {
        throw new Error('never');
      },
      { log: (sentence) => log.push(sentence) },
    );
    queue.send('a');
    await eventually(() => readStored(failedDir)).toEqual(['a']);
    expect(readStored()).toEqual([]);
    expect(events).toEqual([['a 1'], ['a 2']]);
    expect(log).toEqual([
      'The function failed (messages: 1): never',
      'The function failed (messages: 1): never',
      expect.stringContaining(`After 2 receives, a message was moved to the dead-letter queue: ${failedDir}`),
    ]);
  });

  it('delivers dead letters to the consumer of the dead-letter queue', async () => {
    const failed = new Queue({ arn: `${arn}-failed`, dir: failedDir, visibilityTimeout: 30 });
    const queue = new Queue({ arn, dir, visibilityTimeout: 0, redrive: { queue: failed, maxReceiveCount: 1 } });
    queues.push(queue, failed);
    const read = deliver(failed, succeed);
    deliver(queue, () => Promise.reject(new Error('never')));
    queue.send('a');
    await eventually(() => read.flat()).toEqual(['a 2']);
    expect([readStored(), readStored(failedDir)]).toEqual([[], []]);
  });

  it('batches waiting messages within its concurrency', async () => {
    const queue = openQueue();
    for (const body of 'abcdefg') queue.send(body);
    let [running, most] = [0, 0];
    const events = deliver(
      queue,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      },
      { batchSize: 2, concurrency: 3 },
    );
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a 1', 'b 1'], ['c 1', 'd 1'], ['e 1', 'f 1'], ['g 1']]);
    expect(most).toBe(3);
  });

  it('delivers the next message while a failed one waits', async () => {
    const queue = openQueue();
    let failures = 1;
    const events = deliver(queue, async () => {
      if (failures-- > 0) throw new Error('once');
    });
    queue.send('a');
    queue.send('b');
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a 1'], ['b 1'], ['a 2']]);
  });
});

describe('a FIFO queue', () => {
  it('delivers a group in order, one message at a time, and other groups in parallel', async () => {
    const queue = openFifoQueue();
    for (const [body, group] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
    ] as const)
      queue.send(body, { group });
    const ends: (() => void)[] = [];
    const events = deliver(queue, () => new Promise<void>((resolve) => ends.push(resolve)), { concurrency: 3 });
    expect(events).toEqual([['a1 1'], ['b1 1']]);
    ends[0]?.();
    await eventually(() => events.at(-1)).toEqual(['a2 1']);
    ends[2]?.();
    await eventually(() => events.at(-1)).toEqual(['a3 1']);
    for (const end of ends) end();
    await eventually(readStored).toEqual([]);
  });

  it('redelivers a failed message before the next of its group', async () => {
    const queue = openFifoQueue();
    let failures = 2;
    queue.send('a1', { group: 'a' });
    queue.send('a2', { group: 'a' });
    const events = deliver(queue, async () => {
      if (failures-- > 0) throw new Error('not yet');
    });
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a1 1'], ['a1 2'], ['a1 3'], ['a2 1']]);
  });

  it('continues with a group after a dead letter', async () => {
    const queue = openFifoQueue(1);
    queue.send('a1', { group: 'a' });
    queue.send('a2', { group: 'a' });
    const events = deliver(queue, ({ Records }) =>
      Records[0]?.body === 'a1' ? Promise.reject(new Error()) : succeed(),
    );
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a1 1'], ['a2 1']]);
    expect(readStored(failedDir)).toEqual(['a1']);
  });

  it('accepts a deduplication id once per group', async () => {
    const queue = openFifoQueue();
    for (const [body, group] of [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'b'],
    ] as const)
      queue.send(body, { group, deduplicationId: 'document' });
    const events = deliver(queue, succeed);
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['1 1'], ['3 1']]);
  });

  it('accepts a message once per group', async () => {
    const queue = openFifoQueue();
    for (const group of ['a', 'a', 'b']) queue.send('1', { group });
    const events = deliver(queue, succeed);
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['1 1'], ['1 1']]);
  });
});

describe('a queue with groups', () => {
  it('delivers messages first whose groups have the fewest in progress', async () => {
    const queue = openQueue();
    for (const body of ['a1', 'a2', 'a3', 'a4']) queue.send(body, { group: 'a' });
    const ends: (() => void)[] = [];
    const events = deliver(queue, () => new Promise<void>((resolve) => ends.push(resolve)), { concurrency: 2 });
    queue.send('b1', { group: 'b' });
    expect(events).toEqual([['a1 1'], ['a2 1']]);
    ends[0]?.();
    await eventually(() => events.at(-1)).toEqual(['b1 1']);
    for (let ended = 1; ended < 5; ended++) {
      await eventually(() => ends.length).toBeGreaterThan(ended);
      ends[ended]?.();
    }
    await eventually(readStored).toEqual([]);
  });
});

describe('a delayed message', () => {
  it('is delivered after its delay, also if the queue was opened again', async () => {
    openQueue().send('later', { delaySeconds: 1 });
    const queue = openQueue();
    queue.send('now');
    const startedAt = Date.now();
    const times: number[] = [];
    const events = deliver(queue, async () => times.push(Date.now()));
    expect(events).toEqual([['now 1']]);
    await eventually(() => events).toEqual([['now 1'], ['later 1']]);
    expect(times[1]).toBeGreaterThanOrEqual(startedAt + 900);
  });
});

describe('a function that reports failures', () => {
  /** Sends a, b and c in one batch. Returns the events once all messages are handled or dead letters. */
  async function handleBatch(answer: (event: SQSEvent) => unknown, reportsFailures = true): Promise<string[][]> {
    const queue = openQueue(2);
    for (const body of 'abc') queue.send(body);
    const events = deliver(queue, async (event) => answer(event), { batchSize: 3, reportsFailures });
    await eventually(readStored).toEqual([]);
    return events;
  }
  const reportB = ({ Records }: SQSEvent) => ({
    batchItemFailures: Records.filter(({ body }) => body === 'b').map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  });

  it('receives only the failed messages again', async () => {
    expect(await handleBatch(reportB)).toEqual([['a 1', 'b 1', 'c 1'], ['b 2']]);
    expect(readStored(failedDir)).toEqual(['b']);
  });

  it('is ignored unless the mapping enables reports', async () => {
    expect(await handleBatch(reportB, false)).toEqual([['a 1', 'b 1', 'c 1']]);
  });

  it.each([[undefined], [null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    'reports success with %j',
    async (answer) => {
      await handleBatch(() => answer);
      expect(readStored(failedDir)).toEqual([]);
    },
  );

  it.each([
    ['text'],
    [{ batchItemFailures: 'b' }],
    [{ batchItemFailures: [null] }],
    [{ batchItemFailures: [{ itemIdentifier: '' }] }],
    [{ batchItemFailures: [{ id: 'b' }] }],
    [{ batchItemFailures: [{ itemIdentifier: 'of another batch' }] }],
  ])('fails the whole batch with the invalid result %j', async (answer) => {
    await handleBatch(() => answer);
    expect(readStored(failedDir).toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a reopened queue', () => {
  it('delivers stored messages in the order of sending', async () => {
    const first = openQueue();
    for (const body of 'abc') first.send(body);
    const events = deliver(openQueue(), succeed);
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a 1'], ['b 1'], ['c 1']]);
  });

  it('deletes a message that was being written', () => {
    openQueue().send('a');
    writeFileSync(join(dir, 'b.json.unfinished'), 'b');
    openQueue();
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('redelivers messages that were being handled, and keeps their receive count', async () => {
    const first = openQueue(2);
    first.send('a');
    let fail = () => {};
    deliver(first, () => new Promise((_, reject) => (fail = () => reject(new Error('killed')))));
    const stopped = first.stop();
    fail();
    await stopped;
    const events = deliver(openQueue(2), succeed);
    await eventually(readStored).toEqual([]);
    expect(events).toEqual([['a 2']]);
  });

  it('moves a message that keeps killing the host to the dead-letter queue', async () => {
    openQueue().send('a');
    for (let round = 0; round < 2; round++) {
      deliver(openQueue(2), () => new Promise(() => {}));
      queues.pop(); // simulates a dead host, so no one stops the queue
    }
    const events = deliver(openQueue(2), succeed);
    expect(events).toEqual([]);
    expect([readStored(), readStored(failedDir)]).toEqual([[], ['a']]);
  });

  it('stores messages without delivering them after it is stopped', async () => {
    const queue = openQueue();
    const events = deliver(queue, succeed);
    await queue.stop();
    queue.send('a');
    expect(readStored()).toEqual(['a']);
    expect(events).toEqual([]);
  });
});
