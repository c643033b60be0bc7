import { TooLarge } from '../errors.ts';
import { type Index, openIndex } from '../search/open.ts';
import * as files from './files.ts';

/** Number of files that are fetched at once: each is in memory twice while it is opened, as sent and unpacked. */
const filesAtOnce = 10;

/** Cache of opened indexes by their file, of up to `maxBytes` together. A file never changes. */
export function cacheIndexes(maxBytes: number) {
  /** The least recently used first. */
  const cached = new Map<string, Index>();

  function put(file: string, index: Index): void {
    cached.delete(file);
    cached.set(file, index);
    let sum = [...cached.values()].reduce((all, { bytes }) => all + bytes, 0);
    for (const [oldest, { bytes }] of cached) {
      if (sum <= maxBytes) return;
      cached.delete(oldest);
      sum -= bytes;
    }
  }

  /**
   * Returns the index in each file, undefined where a file is gone. Throws TooLarge where they take more than `maxBytes` together.
   * Fetches those that are not in the cache, ten at once, and none once they are too large.
   */
  async function openAll(names: readonly string[]): Promise<(Index | undefined)[]> {
    let left = maxBytes;
    const spend = (bytes: number) => {
      left -= bytes;
      if (left >= 0) return;
      throw new TooLarge(
        ['path', 'assistant_id'],
        'The knowledge bases attached to it are too large to be searched together: detach the largest',
      );
    };
    const open = async (file: string): Promise<Index | undefined> => {
      const known = cached.get(file);
      if (known) {
        spend(known.bytes);
        put(file, known);
        return known;
      }
      spend(0); // fetches no more once they are too large
      const bytes = await files.get(file);
      if (!bytes) return undefined;
      spend(bytes.length);
      const index = openIndex(bytes);
      spend(index.bytes - bytes.length);
      put(file, index);
      return index;
    };
    const opened: (Index | undefined)[] = [];
    const waiting = names.entries();
    const openWaiting = async () => {
      for (const [i, file] of waiting) opened[i] = await open(file);
    };
    await Promise.all(Array.from({ length: filesAtOnce }, openWaiting));
    return opened;
  }

  return { openAll };
}
