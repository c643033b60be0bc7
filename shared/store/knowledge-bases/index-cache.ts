import type { TooLarge } from '../../errors.ts';
import { type Index, openIndex } from '../../search/open.ts';
import * as files from '../files/files.ts';

/** Number of concurrent fetches. Each file is in memory twice while it is opened, compressed and uncompressed. */
const concurrentFetches = 10;

/** A file with an index. `bytes` is its size in memory; records of older releases lack it. */
export interface IndexFile {
  name: string;
  bytes?: number | undefined;
}

/**
 * Creates a cache of opened indexes by file, up to `maxCached` bytes. Needs no invalidation, since a file never
 * changes.
 */
export function cacheIndexes({ maxCached, maxOpened }: { maxCached: number; maxOpened: number }) {
  /** Least recently used first. */
  const cached = new Map<string, Index>();
  let cachedBytes = 0;

  function put(file: string, index: Index): void {
    if (!cached.delete(file)) cachedBytes += index.memoryBytes;
    cached.set(file, index);
    for (const [oldest, { memoryBytes }] of cached) {
      if (cachedBytes <= maxCached) return;
      cached.delete(oldest);
      cachedBytes -= memoryBytes;
    }
  }

  async function open(file: string): Promise<Index | undefined> {
    const bytes = await files.get(file);
    return bytes && openIndex(bytes);
  }

  /**
   * Returns the index of each file, undefined for a missing file. Fetches uncached files, ten at a time. Throws
   * `toError` above `maxOpened` bytes in total: before any fetch if the sizes are known, otherwise as soon as they are.
   */
  async function openEach(indexFiles: readonly IndexFile[], toError: () => TooLarge): Promise<(Index | undefined)[]> {
    let bytesLeft = maxOpened;
    const spend = (bytes: number) => {
      bytesLeft -= bytes;
      if (bytesLeft < 0) throw toError();
    };
    for (const { bytes = 0 } of indexFiles) spend(bytes);
    const opened: (Index | undefined)[] = [];
    const queue = indexFiles.entries();
    let hasFailed = false;
    const openQueued = async () => {
      for (const [i, { name, bytes = 0 }] of queue) {
        if (hasFailed) return;
        const index = cached.get(name) ?? (await open(name));
        if (index) {
          spend(index.memoryBytes - bytes);
          put(name, index);
        }
        opened[i] = index;
      }
    };
    const openings = Array.from({ length: concurrentFetches }, () =>
      openQueued().catch((error) => {
        hasFailed = true;
        throw error;
      }),
    );
    await Promise.allSettled(openings); // also after a failure: the next call must find the memory free
    await Promise.all(openings);
    return opened;
  }

  let last: Promise<unknown> = Promise.resolve();

  /** Runs `openEach` when those before have ended: a chat starts many searches at once, which would all open the same files. */
  function openAll(...asked: Parameters<typeof openEach>): ReturnType<typeof openEach> {
    const opened = last.then(() => openEach(...asked));
    last = opened.catch(() => {});
    return opened;
  }

  return { openAll };
}
