import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TooLarge } from '../../shared/errors.ts';
import { DamagedIndex } from '../../shared/search/bytes.ts';
import { encodeIndex } from '../../shared/search/encode.ts';
import { openIndex } from '../../shared/search/open.ts';
import type { IndexFile } from '../../shared/store/knowledge-bases/index-cache.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { meter } = await import('../../shared/telemetry/meter.ts');
const { cacheIndexes } = await import('../../shared/store/knowledge-bases/index-cache.ts');
const { storePassages } = await import('../../shared/store/knowledge-bases/passage-files.ts');

const object = encodeIndex([{ page: null, text: 'The moon shone on the marsh.' }]);
const { memoryBytes } = openIndex(object);

/** Stores copies of the same index, each as a separate file. */
const storeIndexes = (count: number) =>
  Promise.all(Array.from({ length: count }, () => storePassages(randomUUID(), randomUUID(), object)));

/** Creates a cache for `cached` indexes. A single search may open `opened` of them. */
function createCache(cached: number, opened = cached) {
  const cache = cacheIndexes({ maxCached: cached * memoryBytes, maxOpened: opened * memoryBytes });
  return { openAll: (files: IndexFile[]) => cache.openAll(files, () => new TooLarge(['body'], 'Too large')) };
}

const toFiles = (names: string[]) => names.map((name) => ({ name }));
const toSizedFiles = (names: string[], size = memoryBytes) => names.map((name) => ({ name, bytes: size }));

/** Returns the number of files that `run` fetches. */
async function countFetched(run: () => Promise<unknown>): Promise<number> {
  const before = meter.filesRead;
  await run();
  return meter.filesRead - before;
}

describe('the index cache', () => {
  it('fetches each file once, and evicts the least recently used', async () => {
    const { openAll } = createCache(3);
    const files = await storeIndexes(4);
    const [first = '', second = '', third = '', fourth = ''] = files;
    const countOpened = (...names: string[]) =>
      countFetched(async () => {
        expect((await openAll(toSizedFiles(names))).map((index) => index?.words)).toEqual(names.map(() => 6));
      });
    expect(await countOpened(first, second, third)).toBe(3);
    expect(await countOpened(first, second, third)).toBe(0);
    expect(await countOpened(first, fourth)).toBe(1);
    expect(await countOpened(third, first, fourth)).toBe(0);
    expect(await countOpened(second)).toBe(1);
  });

  it('fetches a file once for searches that start together', async () => {
    const { openAll } = createCache(3);
    const files = toFiles(await storeIndexes(3));
    expect(await countFetched(() => Promise.all([openAll(files), openAll(files), openAll(files)]))).toBe(3);
  });

  it('lets all else run between searches that start together, also without a fetch', async () => {
    const { openAll } = createCache(3);
    const files = toFiles(await storeIndexes(3));
    await openAll(files);
    let turns = 0;
    const counter = setInterval(() => turns++, 0);
    const search = async () => {
      await openAll(files);
      const turn = turns;
      for (const end = performance.now() + 5; performance.now() < end; ); // longer than the interval
      return turn;
    };
    const turnsOfSearches = await Promise.all([search(), search(), search()]);
    clearInterval(counter);
    expect(new Set(turnsOfSearches).size).toBe(3);
  });

  it('fetches no files of a search that has failed when the next one begins', async () => {
    const { openAll } = createCache(40);
    const damaged = await storePassages(randomUUID(), randomUUID(), object.subarray(1));
    const [other = '', ...files] = await storeIndexes(31);
    await expect(openAll(toFiles([damaged, ...files]))).rejects.toThrow(DamagedIndex);
    expect(await countFetched(() => openAll(toFiles([other])))).toBe(1);
  });

  it('holds more indexes than one search may open', async () => {
    const { openAll } = createCache(4, 2);
    const files = toSizedFiles(await storeIndexes(4));
    for (const pair of [files.slice(0, 2), files.slice(2)]) expect(await countFetched(() => openAll(pair))).toBe(2);
    for (const pair of [files.slice(0, 2), files.slice(2)]) expect(await countFetched(() => openAll(pair))).toBe(0);
  });

  it('fetches nothing if the known sizes exceed the limit', async () => {
    const { openAll } = createCache(3);
    const files = await storeIndexes(4);
    const refused = countFetched(() => expect(openAll(toSizedFiles(files))).rejects.toThrow(TooLarge));
    expect(await refused).toBe(0);
    expect(await openAll(toSizedFiles(files.slice(1)))).toHaveLength(3);
  });

  it('throws if the actual sizes exceed the limit, cached or not', async () => {
    const { openAll } = createCache(3);
    const files = await storeIndexes(4);
    for (const all of [toFiles(files), toSizedFiles(files, 1)]) {
      await openAll(all.slice(1));
      for (const attempt of [all, all]) await expect(openAll(attempt)).rejects.toThrow(TooLarge);
      expect(await openAll(all.slice(0, 3))).toHaveLength(3);
    }
  });

  it('stops fetching once the limit is exceeded', async () => {
    const files = await storeIndexes(40);
    const fetched = countFetched(() => expect(createCache(3).openAll(toFiles(files))).rejects.toThrow(TooLarge));
    expect(await fetched).toBeLessThan(20);
  });

  it('returns undefined for files that no longer exist', async () => {
    const [file = ''] = await storeIndexes(1);
    expect(await createCache(1).openAll(toFiles([`passages/${randomUUID()}/gone`, file]))).toEqual([
      undefined,
      expect.objectContaining({ words: 6 }),
    ]);
  });
});
