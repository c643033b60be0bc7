/**
 * Maximum size of a page in bytes, counted with its JSON escaped once more: a Lambda response has at most 6 MB and
 * holds the body as a JSON string. A filtered listing also stops reading at this size.
 */
export const maxPageBytes = 5 * 1024 * 1024;

const countBytes = (shown: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(shown)));

/**
 * Takes as many items as fit into a page, starting at an index. `next` is the index of the first that does not fit.
 * Truncates an item that is larger than a whole page.
 */
export function takeFitting<T>(items: readonly T[], from = 0, truncate = (item: T) => item) {
  const fitting: T[] = [];
  let bytes = 0;
  for (const item of items.slice(from)) {
    const size = countBytes(item);
    const shown = size > maxPageBytes ? truncate(item) : item;
    bytes += shown === item ? size : countBytes(shown);
    if (bytes > maxPageBytes && fitting.length > 0) return { items: fitting, next: from + fitting.length };
    fitting.push(shown);
  }
  return { items: fitting, next: undefined };
}

/** Reads the first `count` items of a listing, then stops. */
export async function takeFirst<T>(listing: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of listing) if (found.push(item) === count) break;
  return found;
}

export interface Page<Stored, Shown> {
  items: Shown[];
  /** Last item that was read, if there are more. */
  last: Stored | undefined;
}

/**
 * Reads a page of a listing: up to `limit` items that pass `keep`, converted by `show`, up to the maximum size of a
 * page. Items that `keep` drops count towards the size, so a page may be empty and still have a next one.
 */
export async function readPage<Stored, Shown>(
  listing: AsyncIterable<Stored>,
  {
    limit = Infinity,
    keep = () => true,
    show,
  }: { limit: number | undefined; keep?(item: Stored): boolean; show(item: Stored): Shown },
): Promise<Page<Stored, Shown>> {
  const items: Shown[] = [];
  let last: Stored | undefined;
  let bytes = 0;
  for await (const item of listing) {
    const shown = show(item);
    bytes += countBytes(shown);
    if (last && (items.length >= limit || bytes > maxPageBytes)) return { items, last };
    if (keep(item)) items.push(shown);
    last = item;
  }
  return { items, last: undefined };
}
