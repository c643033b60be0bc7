import { DamagedIndex } from './bytes.ts';

/** The terms of an index, numbered in the order of their bytes. */
export interface Terms {
  /** The number of a term, undefined where it is none. */
  find(term: string): number | undefined;
  startingWith(text: string): string[];
  /** Those that begin or end with a text. */
  around(text: string): string[];
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

  /** Those in which a text stands that has a separator at one of its ends. */
  function* holding(text: string): Generator<string> {
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      const i = first((next) => (starts[next + 1] ?? 0) > at + 1);
      yield bytes.toString('utf8', starts[i], (starts[i + 1] ?? 0) - 1);
    }
  }

  return {
    find(term) {
      const key = Buffer.from(`${term}\n`);
      const i = first((at) => difference(at, key) >= 0);
      return i < count && difference(i, key) === 0 ? i : undefined;
    },
    startingWith(text) {
      const key = Buffer.from(text);
      const from = first((i) => difference(i, key) >= 0);
      const to = first((i) => difference(i, key) > 0);
      return from === to ? [] : bytes.toString('utf8', starts[from], (starts[to] ?? 0) - 1).split('\n');
    },
    around: (text) => [...holding(`\n${text}`), ...holding(`${text}\n`)],
  };
}
