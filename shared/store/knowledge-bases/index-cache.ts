import { setImmediate } from 'node:timers/promises';
import type { TooLarge } from '../../errors.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';
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
    let failure: { error: unknown } | undefined;
    const open = async ({ name, bytes = 0 }: IndexFile) => {
      if (failure) return undefined;
      let index = cached.get(name);
      if (!index) {
        const file = await files.get(name);
        if (!file || failure) return undefined;
        index = openIndex(file);
      }
      spend(index.memoryBytes - bytes);
      put(name, index);
      return index;
    };
    const fetchInTurn = limitConcurrency(concurrentFetches);
    // Waits for all, also after a failure: the next call must find the memory free.
    const opened = await Promise.all(
      indexFiles.map((file) =>
        fetchInTurn(() => open(file)).catch((error) => {
          failure ??= { error };
          return undefined;
        }),
      ),
    );
    if (failure) throw failure.error;
    return opened;
  }

  /**
   * Searches wait for those before: those of several chats of a job would open the same files. Each begins in a turn of the event loop
   * of its own, so that no series of them holds up timers and other answers.
   */
  const openInTurn = limitConcurrency(1);

  return {
    openAll: (...asked: Parameters<typeof openEach>) =>
      openInTurn(async () => {
        await setImmediate();
        return openEach(...asked);
      }),
  };
}
