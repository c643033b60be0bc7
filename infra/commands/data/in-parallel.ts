import { Readable } from 'node:stream';

/** Runs an action for each item, with limited concurrency. The first error stops it. */
export const runInParallel = <T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  act: (item: T) => Promise<void>,
) => Readable.from(items, { objectMode: true }).forEach(act, { concurrency: concurrency });

/** Groups items into batches. The last one may be smaller. */
export async function* toBatches<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Number of files transferred concurrently. Each is in memory as a whole, up to 50 MB. */
export const maxConcurrentFiles = 8;
