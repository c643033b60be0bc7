import { hash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { replaceFile } from '../replace-file.ts';
import type { Checkpoint, TableStream } from './stream.ts';

/** Settings of the delivery from a stream to a function. */
export interface StreamDelivery {
  /** Last handled record, which the stream shares. */
  checkpoint: Checkpoint;
  /** File that stores the checkpoint, so that a restarted host continues there. */
  checkpointFile: string;
  batchSize: number;
  /** Number of batches of a shard that are handled at once. */
  parallelism: number;
  /** Number of times that a record is delivered again before it is dropped. */
  maxRetries: number;
  /** Returns false for records that the function does not receive. */
  matches(record: object): boolean;
  /** Runs the function. If it throws, all records of the event have failed. */
  handle(event: { Records: object[] }): Promise<unknown>;
  /** Deletes records before the last one that was read, but not those that are not handled. Returns false if that must be tried again. */
  trim(lastRead: string, unhandled: string[]): boolean;
  /** Receives a sentence for each failed event. */
  log(sentence: string): void;
}

const pollMs = 500;
const maxRetrySeconds = 8;

/** Number of handled records from which on the stream is trimmed. */
const trimCount = 500;

/** Maximum number of records that are read but not handled. No more are read until there are fewer. */
const maxUnhandled = 10_000;

export function readCheckpoint(file: string): Checkpoint {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Converts a record to the form that functions receive: times in seconds, and the ARN of the service. */
const toEventRecord = ({ dynamodb, ...record }: StreamRecord) => ({
  ...record,
  awsRegion: 'us-east-1',
  dynamodb: {
    ...dynamodb,
    ApproximateCreationDateTime: (dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000,
  },
});

type EventRecord = ReturnType<typeof toEventRecord>;

const getSequenceNumber = ({ dynamodb }: EventRecord) => dynamodb.SequenceNumber ?? '';

/**
 * Returns the lane of a record's row. AWS keeps the records of one row in order, not those of a partition, and does not say how it spreads
 * them: here, too, different rows may share a lane.
 */
const toLaneNumber = ({ dynamodb }: EventRecord, count: number) =>
  hash('sha256', JSON.stringify([dynamodb.Keys?.pk, dynamodb.Keys?.sk]), 'buffer').readUInt32BE() % count;

/** Records that are delivered one batch after the other. */
interface Lane {
  shard: string;
  waiting: EventRecord[];
  running: Promise<void>;
}

/**
 * Delivers the new records of a stream to a function, each at least once. Those of one partition key are delivered in order; `parallelism`
 * batches of a shard at once, of different keys. As in Lambda with batch bisection, a failed batch is split in halves, and a record that
 * fails alone is retried until it succeeds, or has been `maxRetries` times, after one second, then two, four and eight. Returns a function
 * that stops the delivery and waits for the events in progress.
 */
export function deliverRecords(stream: TableStream, delivery: StreamDelivery): () => Promise<void> {
  const { checkpoint, checkpointFile, batchSize, parallelism, maxRetries, matches, handle, trim, log } = delivery;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = new Map<string, Lane>();
  /** Records that are read but not handled, in order, by shard, each with the number of the record before it. */
  const unhandled = new Map<string, Map<EventRecord, string | undefined>>();
  let untrimmedCount = 0;
  mkdirSync(dirname(checkpointFile), { recursive: true });

  function markRead(shard: string, records: EventRecord[], previous: string | undefined): void {
    const all = unhandled.get(shard) ?? new Map();
    unhandled.set(shard, all);
    const numbers = [previous, ...records.map(getSequenceNumber)];
    for (const [index, record] of records.entries()) all.set(record, numbers[index]);
  }

  /** Moves the checkpoint to the last record before which all are handled. */
  function markHandled(shard: string, records: EventRecord[]): void {
    const left = unhandled.get(shard) ?? new Map();
    for (const record of records) left.delete(record);
    untrimmedCount += records.length;
    const position = left.size === 0 ? stream.lastRead[shard] : left.values().next().value;
    if (position === undefined || position === checkpoint[shard]) return;
    try {
      checkpoint[shard] = position;
      replaceFile(checkpointFile, JSON.stringify(checkpoint));
    } catch (error) {
      log(`The position in the stream cannot be saved: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Deletes the handled records of the stream, if there are many. The next round tries again if that is not possible. */
  function trimHandled(): void {
    const lastRead = Object.values(stream.lastRead).at(-1);
    if (lastRead === undefined || untrimmedCount < trimCount) return;
    const all = [...unhandled.values()].flatMap((records) => [...records.keys()]);
    if (trim(lastRead, all.map(getSequenceNumber))) untrimmedCount = 0;
  }

  /** Runs the function on a batch. Returns false if it failed. Never rejects. */
  const tryBatch = (batch: EventRecord[]): Promise<boolean> =>
    handle({ Records: batch }).then(
      () => true,
      (error: Error) => {
        log(`The function failed (records: ${batch.length}): ${error.message}`);
        return false;
      },
    );

  /** Delivers the records of a lane until none waits, or the delivery stops. */
  async function deliverLane({ shard, waiting }: Lane): Promise<void> {
    let size = batchSize;
    let failures = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      const isHandled = await tryBatch(batch);
      if (isHandled) markHandled(shard, waiting.splice(0, batch.length));
      if (signal.aborted) return; // the stop may have ended the function
      if (isHandled) {
        [size, failures] = [batchSize, 0];
        continue;
      }
      size = Math.max(1, Math.floor(batch.length / 2));
      if (batch.length > 1) continue;
      if (failures === maxRetries) {
        log(`A record was dropped: it has failed ${failures + 1} times`);
        markHandled(shard, waiting.splice(0, 1));
        failures = 0;
        continue;
      }
      await sleep(1000 * Math.min(maxRetrySeconds, 2 ** failures++), undefined, { signal }).catch(() => {});
    }
  }

  /** Adds records to the lanes of their keys, and starts the lanes that rest. */
  function addToLanes(shard: string, records: EventRecord[]): void {
    for (const [number, ours] of Map.groupBy(records, (record) => toLaneNumber(record, parallelism))) {
      const name = `${shard} ${number}`;
      const lane = lanes.get(name) ?? { shard, waiting: [], running: Promise.resolve() };
      lanes.set(name, lane);
      const rests = lane.waiting.length === 0;
      lane.waiting.push(...ours);
      if (rests) lane.running = lane.running.then(() => deliverLane(lane));
    }
  }

  const countUnhandled = () => [...unhandled.values()].reduce((count, { size }) => count + size, 0);

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (countUnhandled() < maxUnhandled) {
          for await (const { shard, records, previous } of stream.read(signal)) {
            const all = records.map(toEventRecord);
            const { ours = [], others = [] } = Object.groupBy(all, (record) => (matches(record) ? 'ours' : 'others'));
            markRead(shard, all, previous);
            markHandled(shard, others);
            addToLanes(shard, ours);
          }
        }
        trimHandled();
      } catch (error) {
        stream.renew();
        if (!signal.aborted)
          log(`The stream cannot be read or trimmed: ${error instanceof Error ? error.message : error}`);
        await sleep(1000, undefined, { signal, ref: false }).catch(() => {});
      }
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await Promise.all([...lanes.values()].map((lane) => lane.running));
  };
}
