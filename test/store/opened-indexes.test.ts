import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TooLarge } from '../../shared/errors.ts';
import { encodeIndex } from '../../shared/search/encode.ts';
import { openIndex } from '../../shared/search/open.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { meter } = await import('../../shared/meter.ts');
const { cacheIndexes } = await import('../../shared/store/opened-indexes.ts');
const { keepPassages } = await import('../../shared/store/passage-files.ts');

const object = encodeIndex([{ page: null, text: 'The moon shone on the marsh.' }]);
const { bytes } = openIndex(object);

/** Stores documents that are alike, each as a file of its own. */
const store = (count: number) =>
  Promise.all(Array.from({ length: count }, () => keepPassages(randomUUID(), randomUUID(), object)));

describe('the cache of opened indexes', () => {
  it('fetches each once, and those again that were used longest ago when there was no room', async () => {
    const { openAll } = cacheIndexes(3 * bytes);
    const files = await store(4);
    const [first = '', second = '', third = '', fourth = ''] = files;
    const fetched = async (...names: string[]) => {
      const before = meter.filesRead;
      expect((await openAll(names)).map((index) => index?.words)).toEqual(names.map(() => 6));
      return meter.filesRead - before;
    };
    expect(await fetched(first, second, third)).toBe(3);
    expect(await fetched(first, second, third)).toBe(0);
    expect(await fetched(first, fourth)).toBe(1);
    expect(await fetched(third, first, fourth)).toBe(0);
    expect(await fetched(second)).toBe(1);
  });

  it('refuses what takes more memory together than there is', async () => {
    const { openAll } = cacheIndexes(3 * bytes);
    const files = await store(4);
    await openAll(files.slice(1));
    for (const attempt of [files, files]) await expect(openAll(attempt)).rejects.toThrow(TooLarge);
    expect(await openAll(files.slice(0, 3))).toHaveLength(3);
  });

  it('stops fetching once they are too large', async () => {
    const { openAll } = cacheIndexes(3 * bytes);
    const files = await store(40);
    const before = meter.filesRead;
    await expect(openAll(files)).rejects.toThrow(TooLarge);
    expect(meter.filesRead - before).toBeLessThan(20);
  });

  it('leaves out files that are gone', async () => {
    const [file = ''] = await store(1);
    expect(await cacheIndexes(bytes).openAll([`passages/${randomUUID()}/gone`, file])).toEqual([
      undefined,
      expect.objectContaining({ words: 6 }),
    ]);
  });
});
