import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { type Delivery, Queue } from '../../infra/local/queue.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-queue-'));
const queues: Queue[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  rmSync(root, { recursive: true });
});

const arn = 'arn:aws:sqs:us-east-1:000000000000:work';
const dir = join(root, 'work');
const failedDir = join(root, 'failed');

/** The queue on the folder, and its dead-letter queue. Failed messages come back after a hundredth of a second. */
function open(maxReceiveCount = 3): Queue {
  const failed = new Queue({ arn: `${arn}-failed`, dir: failedDir, visibilityTimeout: 30 });
  const queue = new Queue({ arn, dir, visibilityTimeout: 0.01, redrive: { queue: failed, maxReceiveCount } });
  queues.push(queue);
  return queue;
}

/** Delivers to a function, and gives the bodies of all events so far, each with the receive count. */
function deliver(queue: Queue, handle: Delivery['handle'], how: Partial<Delivery> = {}): string[][] {
  const events: string[][] = [];
  const log = () => {};
  const told = ({ Records }: SQSEvent) =>
    Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`);
  queue.deliver({
    ...{ batchSize: 1, concurrency: 1, reportsFailures: false, retrySeconds: 1, log },
    ...how,
    handle: (event) => {
      events.push(told(event));
      return handle(event);
    },
  });
  return events;
}

const eventually = (look: () => unknown) => expect.poll(() => look(), { interval: 5 });
const kept = (folder = dir) =>
  readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).body as string);
const well = async () => {};

describe('a queue', () => {
  it('hands over a message as SQS does, and forgets it when that went well', async () => {
    const queue = open();
    const events: SQSEvent[] = [];
    deliver(queue, async (event) => events.push(event));
    const before = Date.now();
    queue.send('{"a":"ä"}');
    await eventually(kept).toEqual([]);
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

  it('brings a message back until its function goes well', async () => {
    const queue = open();
    let calls = 0;
    const events = deliver(queue, async () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
    });
    queue.send('a');
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a 1'], ['a 2'], ['a 3']]);
    expect(kept(failedDir)).toEqual([]);
  });

  it('gives a message up after as many receives as it may have, and keeps it', async () => {
    const queue = open(2);
    const log: string[] = [];
    const events = deliver(
      queue,
      async () => {
        throw new Error('never');
      },
      { log: (sentence) => log.push(sentence) },
    );
    queue.send('a');
    await eventually(() => kept(failedDir)).toEqual(['a']);
    expect(kept()).toEqual([]);
    expect(events).toEqual([['a 1'], ['a 2']]);
    expect(log).toEqual([
      'The function failed (messages: 1): never',
      'The function failed (messages: 1): never',
      expect.stringContaining(`After 2 receives a message is given up, and kept in ${failedDir}`),
    ]);
  });

  it('gives a message up to the reader of its dead-letter queue', async () => {
    const failed = new Queue({ arn: `${arn}-failed`, dir: failedDir, visibilityTimeout: 30 });
    const queue = new Queue({ arn, dir, visibilityTimeout: 0, redrive: { queue: failed, maxReceiveCount: 1 } });
    queues.push(queue, failed);
    const read = deliver(failed, well);
    deliver(queue, () => Promise.reject(new Error('never')));
    queue.send('a');
    await eventually(() => read.flat()).toEqual(['a 2']);
    expect([kept(), kept(failedDir)]).toEqual([[], []]);
  });

  it('makes batches of what there is, and runs no more at once than it may', async () => {
    const queue = open();
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
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a 1', 'b 1'], ['c 1', 'd 1'], ['e 1', 'f 1'], ['g 1']]);
    expect(most).toBe(3);
  });

  it('delivers the next message while a failed one waits', async () => {
    const queue = open();
    let failures = 1;
    const events = deliver(queue, async () => {
      if (failures-- > 0) throw new Error('once');
    });
    queue.send('a');
    queue.send('b');
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a 1'], ['b 1'], ['a 2']]);
  });
});

describe('a FIFO queue', () => {
  it('handles one message of a group at a time, in the order of sending, and other groups meanwhile', async () => {
    const queue = open();
    for (const [body, group] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
    ] as const)
      queue.send(body, group);
    const ends: (() => void)[] = [];
    const events = deliver(queue, () => new Promise<void>((resolve) => ends.push(resolve)), { concurrency: 3 });
    expect(events).toEqual([['a1 1'], ['b1 1']]);
    ends[0]?.();
    await eventually(() => events.at(-1)).toEqual(['a2 1']);
    ends[2]?.();
    await eventually(() => events.at(-1)).toEqual(['a3 1']);
    for (const end of ends) end();
    await eventually(kept).toEqual([]);
  });

  it('brings a failed message back before the next of its group', async () => {
    const queue = open();
    let failures = 2;
    queue.send('a1', 'a');
    queue.send('a2', 'a');
    const events = deliver(queue, async () => {
      if (failures-- > 0) throw new Error('not yet');
    });
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a1 1'], ['a1 2'], ['a1 3'], ['a2 1']]);
  });

  it('goes on with a group when a message is given up', async () => {
    const queue = open(1);
    queue.send('a1', 'a');
    queue.send('a2', 'a');
    const events = deliver(queue, ({ Records }) => (Records[0]?.body === 'a1' ? Promise.reject(new Error()) : well()));
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a1 1'], ['a2 1']]);
    expect(kept(failedDir)).toEqual(['a1']);
  });

  it('takes the same deduplication id of a group once', async () => {
    const queue = open();
    for (const [body, group] of [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'b'],
    ] as const)
      queue.send(body, group, 'document');
    const events = deliver(queue, well);
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['1 1'], ['3 1']]);
  });

  it('takes the same message of a group once', async () => {
    const queue = open();
    for (const group of ['a', 'a', 'b']) queue.send('1', group);
    const events = deliver(queue, well);
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['1 1'], ['1 1']]);
  });
});

describe('a function that reports failures', () => {
  /** Sends a, b and c in one batch; gives the events when all are done or given up. */
  async function answering(answer: (event: SQSEvent) => unknown, reportsFailures = true): Promise<string[][]> {
    const queue = open(2);
    for (const body of 'abc') queue.send(body);
    const events = deliver(queue, async (event) => answer(event), { batchSize: 3, reportsFailures });
    await eventually(kept).toEqual([]);
    return events;
  }
  const failing = ({ Records }: SQSEvent) => ({
    batchItemFailures: Records.filter(({ body }) => body === 'b').map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  });

  it('gets only those again', async () => {
    expect(await answering(failing)).toEqual([['a 1', 'b 1', 'c 1'], ['b 2']]);
    expect(kept(failedDir)).toEqual(['b']);
  });

  it('is not heard where the mapping does not say so', async () => {
    expect(await answering(failing, false)).toEqual([['a 1', 'b 1', 'c 1']]);
  });

  it.each([[undefined], [null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    'had none: %j',
    async (answer) => {
      await answering(() => answer);
      expect(kept(failedDir)).toEqual([]);
    },
  );

  it.each([
    ['text'],
    [{ batchItemFailures: 'b' }],
    [{ batchItemFailures: [null] }],
    [{ batchItemFailures: [{ itemIdentifier: '' }] }],
    [{ batchItemFailures: [{ id: 'b' }] }],
    [{ batchItemFailures: [{ itemIdentifier: 'of another batch' }] }],
  ])('has failed altogether where its answer makes no sense: %j', async (answer) => {
    await answering(() => answer);
    expect(kept(failedDir).toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a queue that is opened again', () => {
  it('still has what was not delivered, in the order of sending', async () => {
    const first = open();
    for (const body of 'abc') first.send(body);
    const events = deliver(open(), well);
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a 1'], ['b 1'], ['c 1']]);
  });

  it('receives once more what was being handled, and counts on', async () => {
    const first = open(2);
    first.send('a');
    let fail = () => {};
    deliver(first, () => new Promise((_, reject) => (fail = () => reject(new Error('killed')))));
    const stopped = first.stop();
    fail();
    await stopped;
    const events = deliver(open(2), well);
    await eventually(kept).toEqual([]);
    expect(events).toEqual([['a 2']]);
  });

  it('gives up what killed the host too often', async () => {
    open().send('a');
    for (let round = 0; round < 2; round++) {
      deliver(open(2), () => new Promise(() => {}));
      queues.pop(); // it died: nobody waits for it
    }
    const events = deliver(open(2), well);
    expect(events).toEqual([]);
    expect([kept(), kept(failedDir)]).toEqual([[], ['a']]);
  });

  it('delivers nothing once it has stopped, but takes what comes', async () => {
    const queue = open();
    const events = deliver(queue, well);
    await queue.stop();
    queue.send('a');
    expect(kept()).toEqual(['a']);
    expect(events).toEqual([]);
  });
});
