import { type Reader, sumsOf } from './bytes.ts';

/** The terms of an index, sorted by their bytes and numbered. */
export interface Terms {
  /** The number of a term, undefined where it is none. */
  find(term: string): number | undefined;
  startingWith(text: string): string[];
  /** Those that begin or end with a text. */
  around(text: string): string[];
}

/** Reads terms of the given lengths in bytes. They stay bytes: few are ever looked at. */
export function termsIn(source: Reader, lengths: Uint32Array): Terms {
  const from = sumsOf(lengths);
  const bytes = Buffer.from(source.bytes(from.at(-1) ?? 0));
  const count = lengths.length;
  const at = (i: number) => bytes.subarray(from[i], from[i + 1]);

  /** The number of the first for which a condition holds that holds for all after it. */
  function first(holds: (i: number) => boolean): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  const firstFrom = (key: Buffer) => first((i) => Buffer.compare(at(i), key) >= 0);

  return {
    find(term) {
      const key = Buffer.from(term);
      const i = firstFrom(key);
      return i < count && at(i).equals(key) ? i : undefined;
    },
    startingWith(text) {
      const found: string[] = [];
      for (let i = firstFrom(Buffer.from(text)); i < count; i++) {
        const term = at(i).toString();
        if (!term.startsWith(text)) break;
        found.push(term);
      }
      return found;
    },
    around(text) {
      const key = Buffer.from(text);
      const found: string[] = [];
      for (let offset = bytes.indexOf(key); offset >= 0; offset = bytes.indexOf(key, offset + 1)) {
        const i = first((next) => (from[next + 1] ?? 0) > offset);
        const starts = offset === from[i];
        const ends = offset + key.length === from[i + 1];
        const within = offset + key.length <= (from[i + 1] ?? 0); // and not over the border of two terms
        if (within && (starts || ends)) found.push(at(i).toString());
      }
      return found;
    },
  };
}
