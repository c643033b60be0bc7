import { Readable } from 'node:stream';

/** Does something with each, so many at a time. The first error ends it. */
export const inParallel = <T>(many: Iterable<T> | AsyncIterable<T>, lanes: number, act: (one: T) => Promise<void>) =>
  Readable.from(many, { objectMode: true }).forEach(act, { concurrency: lanes });

/** In groups of so many, the last one of what is left. */
export async function* groups<T>(many: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const one of many) {
    if (group.push(one) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** How many files are on their way at once: each is held in memory whole, up to 50 MB. */
export const filesTogether = 8;
