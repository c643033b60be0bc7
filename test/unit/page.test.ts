import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Page, pageOf } from '../../shared/domain/page.ts';

interface Entry {
  id: number;
  wanted: boolean;
}

/** A listing from `after` on, which counts how far it is read. */
function listing(entries: Entry[], after?: Entry) {
  const state = { read: 0, closed: false };
  async function* items() {
    try {
      for (const entry of entries.slice(after ? entries.indexOf(after) + 1 : 0)) {
        state.read += 1;
        yield entry;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, items: items() };
}

const entriesOf = (flags: boolean[]) => flags.map((wanted, id): Entry => ({ id, wanted }));

const filtered = { keep: ({ wanted }: Entry) => wanted, show: ({ id }: Entry) => id };
const everything = { keep: () => true, show: ({ id }: Entry) => id };

/** All pages of a listing, each from where the last one ended. */
async function walk<Shown>(
  entries: Entry[],
  options: Parameters<typeof pageOf<Entry, Shown>>[1],
): Promise<Page<Entry, Shown>[]> {
  const pages: Page<Entry, Shown>[] = [];
  let last: Entry | undefined;
  do {
    const page = await pageOf(listing(entries, last).items, options);
    pages.push(page);
    last = page.last;
  } while (last && pages.length <= entries.length + 1);
  return pages;
}

describe('a page', () => {
  test('of a listing that fits holds all of it and leads nowhere', async () => {
    const entries = entriesOf([true, true, true]);
    expect(await pageOf(listing(entries).items, { ...everything, limit: undefined })).toEqual({
      items: [0, 1, 2],
      last: undefined,
    });
    expect(await pageOf(listing([]).items, { ...everything, limit: 5 })).toEqual({ items: [], last: undefined });
  });

  test('leads on only when there is more', async () => {
    const entries = entriesOf([true, true, true]);
    expect(await pageOf(listing(entries).items, { ...everything, limit: 2 })).toEqual({
      items: [0, 1],
      last: entries[1],
    });
    expect(await pageOf(listing(entries).items, { ...everything, limit: 3 })).toEqual({
      items: [0, 1, 2],
      last: undefined,
    });
  });

  test('reads one item beyond the limit at most, and lets go of the listing', async () => {
    const { state, items } = listing(entriesOf(Array(50).fill(true)));
    await pageOf(items, { ...everything, limit: 7 });
    expect(state).toEqual({ read: 8, closed: true });
  });

  test('never holds more than its limit, and walking the pages loses and doubles nothing', async () => {
    const options = fc.record({ limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), options, async (flags, { limit }) => {
        const entries = entriesOf(flags);
        const pages = await walk(entries, { ...filtered, limit });
        for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(limit ?? Infinity);
        expect(pages.flatMap(({ items }) => items)).toEqual(entries.filter(filtered.keep).map(filtered.show));
      }),
    );
  });
});

describe('a page of large items', () => {
  const maxBytes = 5 * 1024 * 1024;
  const big = 'é'.repeat(140 * 1024); // 280 KB as UTF-8
  const entries = entriesOf(Array.from({ length: 45 }, (_, id) => id >= 40));
  const show = ({ id }: Entry) => ({ id, big });

  test('holds as much as fits into 5 MB of JSON, and leads on without loss', async () => {
    const pages = await walk(entries, { keep: () => true, show, limit: undefined });
    expect(pages.map(({ items }) => items.length)).toEqual([18, 18, 9]);
    for (const { items } of pages) expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThanOrEqual(maxBytes);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(entries.map(({ id }) => id));
  });

  test('may be empty and still lead on when a filter wants none of its first 5 MB', async () => {
    const pages = await walk(entries, { keep: filtered.keep, show, limit: undefined });
    expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([[], [], [40, 41, 42, 43, 44]]);
    const { state, items } = listing(entries);
    await pageOf(items, { keep: filtered.keep, show, limit: undefined });
    expect(state.read).toBe(19);
  });

  test('gives an item that is larger than a page all the same, so that a walk always ends', async () => {
    const huge = 'x'.repeat(maxBytes + 1);
    const pages = await walk(entriesOf([true, true, true]), { keep: () => true, show: () => huge, limit: undefined });
    expect(pages.map(({ items }) => items.length)).toEqual([1, 1, 1]);
  });
});
