import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Page, readPage } from '../../shared/domain/page.ts';

interface Entry {
  id: number;
  wanted: boolean;
}

/** Creates a listing that starts after an entry and counts the entries read. */
function createListing(entries: Entry[], after?: Entry) {
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

const toEntries = (flags: boolean[]) => flags.map((wanted, id): Entry => ({ id, wanted }));

const filtered = { keep: ({ wanted }: Entry) => wanted, show: ({ id }: Entry) => id };
const unfiltered = { keep: () => true, show: ({ id }: Entry) => id };

/** Reads all pages of a listing, each from the end of the page before. */
async function readAllPages<Shown>(
  entries: Entry[],
  options: Parameters<typeof readPage<Entry, Shown>>[1],
): Promise<Page<Entry, Shown>[]> {
  const pages: Page<Entry, Shown>[] = [];
  let last: Entry | undefined;
  do {
    const page = await readPage(createListing(entries, last).items, options);
    pages.push(page);
    last = page.last;
  } while (last && pages.length <= entries.length + 1);
  return pages;
}

describe('a page', () => {
  test('has all items and no next page if they fit', async () => {
    const entries = toEntries([true, true, true]);
    expect(await readPage(createListing(entries).items, { ...unfiltered, limit: undefined })).toEqual({
      items: [0, 1, 2],
      last: undefined,
    });
    expect(await readPage(createListing([]).items, { ...unfiltered, limit: 5 })).toEqual({
      items: [],
      last: undefined,
    });
  });

  test('has a next page only if there are more items', async () => {
    const entries = toEntries([true, true, true]);
    expect(await readPage(createListing(entries).items, { ...unfiltered, limit: 2 })).toEqual({
      items: [0, 1],
      last: entries[1],
    });
    expect(await readPage(createListing(entries).items, { ...unfiltered, limit: 3 })).toEqual({
      items: [0, 1, 2],
      last: undefined,
    });
  });

  test('reads at most one item beyond the limit, and closes the listing', async () => {
    const { state, items } = createListing(toEntries(Array(50).fill(true)));
    await readPage(items, { ...unfiltered, limit: 7 });
    expect(state).toEqual({ read: 8, closed: true });
  });

  test('has at most `limit` items, and all pages together have each item once', async () => {
    const options = fc.record({ limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), options, async (flags, { limit }) => {
        const entries = toEntries(flags);
        const pages = await readAllPages(entries, { ...filtered, limit });
        for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(limit ?? Infinity);
        expect(pages.flatMap(({ items }) => items)).toEqual(entries.filter(filtered.keep).map(filtered.show));
      }),
    );
  });
});

describe('a page of large items', () => {
  const maxBytes = 5 * 1024 * 1024;
  const big = 'é'.repeat(140 * 1024); // 280 KB as UTF-8
  const entries = toEntries(Array.from({ length: 45 }, (_, id) => id >= 40));
  const show = ({ id }: Entry) => ({ id, big });

  test('has as many as fit into 5 MB of JSON, and a next page with the rest', async () => {
    const pages = await readAllPages(entries, { keep: () => true, show, limit: undefined });
    expect(pages.map(({ items }) => items.length)).toEqual([18, 18, 9]);
    for (const { items } of pages) expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThanOrEqual(maxBytes);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(entries.map(({ id }) => id));
  });

  test('may be empty and have a next page if a filter drops the first 5 MB', async () => {
    const pages = await readAllPages(entries, { keep: filtered.keep, show, limit: undefined });
    expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([[], [], [40, 41, 42, 43, 44]]);
    const { state, items } = createListing(entries);
    await readPage(items, { keep: filtered.keep, show, limit: undefined });
    expect(state.read).toBe(19);
  });

  test('has at least one item, even one larger than a page', async () => {
    const huge = 'x'.repeat(maxBytes + 1);
    const pages = await readAllPages(toEntries([true, true, true]), {
      keep: () => true,
      show: () => huge,
      limit: undefined,
    });
    expect(pages.map(({ items }) => items.length)).toEqual([1, 1, 1]);
  });
});
