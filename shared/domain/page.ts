/**
 * What one page may hold. Lambda answers with at most 6 MB, in which the body is a JSON string and its quotes are escaped
 * once more: that is what is counted. Reading stops at the same amount.
 */
export const maxBytes = 5 * 1024 * 1024;

const bytesOf = (shown: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(shown)));

/**
 * As many items as fit into an answer, from an index on; `next` is the index of the first that does not.
 * One that no answer can hold is shown as `clipped` clips it.
 */
export function thatFit<T>(items: readonly T[], from = 0, clipped = (item: T) => item) {
  const fitting: T[] = [];
  let bytes = 0;
  for (const item of items.slice(from)) {
    const size = bytesOf(item);
    const shown = size > maxBytes ? clipped(item) : item;
    bytes += shown === item ? size : bytesOf(shown);
    if (bytes > maxBytes && fitting.length > 0) return { items: fitting, next: from + fitting.length };
    fitting.push(shown);
  }
  return { items: fitting, next: undefined };
}

/** The first items of a listing, read no further. */
export async function firstOf<T>(listing: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of listing) if (found.push(item) === count) break;
  return found;
}

export interface Page<Stored, Shown> {
  items: Shown[];
  /** The last item looked at, where there is more beyond it. */
  last: Stored | undefined;
}

/**
 * Takes a page from a listing: at most `limit` items that `keep` wants, as `show` shows them, and no more than fit.
 * A filtered listing looks at 5 MB at most, so that its page may be empty and still lead on.
 */
export async function pageOf<Stored, Shown>(
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
    bytes += bytesOf(shown);
    if (last && (items.length >= limit || bytes > maxBytes)) return { items, last };
    if (keep(item)) items.push(shown);
    last = item;
  }
  return { items, last: undefined };
}
