import { DamagedIndex } from './bytes.ts';

/** Terms in a row, by their numbers: from one, up to but not including another. */
export interface Range {
  from: number;
  to: number;
}

/** The terms of an index, numbered in the order of their bytes. */
export interface Terms {
  count: number;
  /** Memory that they take beside those that are stored. */
  bytes: number;
  /** The number of a term, undefined where it is none. */
  find(term: string): number | undefined;
  /** The terms that begin with a text. Looks at a few only, however many there are. */
  beginning(text: string): Range;
  /** The first terms that end with a text, at most `limit`. Looks at every term. */
  ending(text: string, limit: number): number[];
  names(range: Range): string[];
}

/** Stands before and after each term. No term holds it, and it sorts before all that they hold. */
const separator = Buffer.from('\n');

/** Terms, which are sorted by their bytes, as they are stored. */
export const storedTerms = (terms: readonly Buffer[]) =>
  Buffer.concat([separator, ...terms.flatMap((term) => [term, separator])]);

/** Reads `storedTerms`. They stay bytes, for few are ever looked at. Throws DamagedIndex where they are not `count`. */
export function termsIn(bytes: Buffer, count: number): Terms {
  /** Where each begins, and at last where one more would. */
  const starts = new Uint32Array(count + 1);
  let found = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === separator[0]) starts[found++] = at + 1;
  if (found !== count + 1 || starts[0] !== 1 || starts[count] !== bytes.length) {
    throw new DamagedIndex('It has other terms than it says');
  }

  /** How a term differs from a key at the first byte that does; bytes themselves are faster here than Buffer.compare. */
  function difference(i: number, key: Buffer): number {
    const start = starts[i] ?? 0;
    for (let at = 0; at < key.length; at++) {
      const by = (bytes[start + at] ?? 0) - (key[at] ?? 0);
      if (by !== 0) return by;
    }
    return 0;
  }

  /** The number of the first term for which a condition holds that holds for all after it. */
  function first(holds: (i: number) => boolean): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    count,
    bytes: starts.byteLength,
    find(term) {
      const key = Buffer.from(`${term}\n`);
      const i = first((at) => difference(at, key) >= 0);
      return i < count && difference(i, key) === 0 ? i : undefined;
    },
    beginning(text) {
      const key = Buffer.from(text);
      return { from: first((i) => difference(i, key) >= 0), to: first((i) => difference(i, key) > 0) };
    },
    ending(text, limit) {
      const key = Buffer.from(`${text}\n`);
      const found: number[] = [];
      for (let i = 0; i < count && found.length < limit; i++) {
        let at = (starts[i + 1] ?? 0) - 1;
        let left = key.length - 1;
        while (left >= 0 && bytes[at] === key[left]) {
          at--;
          left--;
        }
        if (left < 0) found.push(i);
      }
      return found;
    },
    names: ({ from, to }) =>
      from === to ? [] : bytes.toString('utf8', starts[from], (starts[to] ?? 0) - 1).split('\n'),
  };
}
