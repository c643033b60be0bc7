import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { replaceFile } from '../replace-file.ts';
import type { Checkpoint, TableStream } from './stream.ts';

/** Settings of the delivery from a stream to a function. */
export interface StreamDelivery {
  /** Last handled record, which the stream shares. */
  checkpoint: Checkpoint;
  /** File that stores the checkpoint, so that a restarted host continues there. */
  checkpointFile: string;
  batchSize: number;
  /** Number of times that a record is delivered again before it is dropped. */
  maxRetries: number;
  /** Returns false for records that the function does not receive. */
  matches(record: object): boolean;
  /** Runs the function. If it throws, all records of the event have failed. */
  handle(event: { Records: object[] }): Promise<unknown>;
  /** Deletes the records before a handled one. Returns false if that must be tried again. */
  trim(sequenceNumber: string): boolean;
  /** Receives a sentence for each failed event. */
  log(sentence: string): void;
}

const pollMs = 500;
const maxRetrySeconds = 8;

/** Number of handled records that the stream keeps at most. */
const trimCount = 500;

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
 * Returns the number of records that a batch has handled, by the function's result: those before the first failed one. None if the
 * result names an unknown record, as in Lambda.
 */
function countHandled(batch: EventRecord[], answer: unknown): number {
  const { batchItemFailures: failures = [] } = (answer ?? {}) as Partial<DynamoDBBatchResponse>;
  const failed = failures.map(({ itemIdentifier }) =>
    batch.findIndex((one) => getSequenceNumber(one) === itemIdentifier),
  );
  return failed.length === 0 ? batch.length : Math.max(0, Math.min(...failed));
}

/**
 * Delivers the new records of a stream to a function, in order, each at least once. As in Lambda with batch bisection, a failed batch is
 * split in halves, and a record that fails alone is retried until it succeeds, or has been `maxRetries` times, after one second, then two,
 * four and eight. Returns a function that stops the delivery and waits for the event in progress.
 */
export function deliverRecords(stream: TableStream, delivery: StreamDelivery): () => Promise<void> {
  const { checkpoint, checkpointFile, batchSize, maxRetries, matches, handle, trim, log } = delivery;
  const stopping = new AbortController();
  const { signal } = stopping;
  let handledCount = 0;
  mkdirSync(dirname(checkpointFile), { recursive: true });

  const saveCheckpoint = (shard: string, record: EventRecord) => {
    checkpoint[shard] = getSequenceNumber(record);
    replaceFile(checkpointFile, JSON.stringify(checkpoint));
  };

  /** Runs the function on a batch, and returns the number of records that it has handled. */
  const tryBatch = (batch: EventRecord[]): Promise<number> =>
    handle({ Records: batch }).then(
      (answer) => countHandled(batch, answer),
      (error: Error) => {
        log(`The function failed (records: ${batch.length}): ${error.message}`);
        return 0;
      },
    );

  async function deliverShard(shard: string, records: EventRecord[]): Promise<void> {
    let size = batchSize;
    let failures = 0;
    for (let from = 0; from < records.length && !signal.aborted; ) {
      const batch = records.slice(from, from + size);
      const handled = await tryBatch(batch);
      const last = batch[handled - 1];
      if (last) saveCheckpoint(shard, last);
      from += handled;
      if (handled === batch.length) {
        [size, failures] = [batchSize, 0];
        continue;
      }
      size = handled === 0 ? Math.max(1, Math.floor(batch.length / 2)) : batchSize;
      if (handled === 0 && batch.length > 1) continue;
      if (failures === maxRetries) {
        log(`A record was dropped: it has failed ${failures + 1} times`);
        [from, failures] = [from + 1, 0];
        continue;
      }
      await sleep(1000 * Math.min(maxRetrySeconds, 2 ** failures++), undefined, { signal }).catch(() => {});
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const { shard, records } of await stream.read(signal)) {
          const all = records.map(toEventRecord);
          await deliverShard(shard, all.filter(matches));
          const last = all.at(-1);
          if (!last || signal.aborted) continue;
          saveCheckpoint(shard, last);
          handledCount += all.length;
          if (handledCount >= trimCount && trim(getSequenceNumber(last))) handledCount = 0;
        }
      } catch (error) {
        stream.rewind();
        if (!signal.aborted) log(`The stream cannot be read: ${error instanceof Error ? error.message : error}`);
        await sleep(1000, undefined, { signal, ref: false }).catch(() => {});
      }
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
