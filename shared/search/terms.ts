import { costs, type Steps } from './budget.ts';
import { DamagedIndex } from './bytes.ts';

/** Range of consecutive term numbers. Excludes `to`. */
export interface Range {
  from: number;
  to: number;
}

/** Separator before and after each term. Never part of a term, and sorts before all bytes of terms. */
const separator = '\n';
const separatorByte = separator.charCodeAt(0);

/** Encoded term, to find it in many indexes. */
export type TermKey = Buffer;

export const toTermKey = (term: string): TermKey => Buffer.from(term + separator);

/** Terms of an index, numbered in byte order. */
export interface Terms {
  count: number;
  /** Memory of the offset table. Excludes the encoded terms. */
  memoryBytes: number;
  /** Returns the number of a term, by its key, if it exists. */
  find(key: TermKey): number | undefined;
  /** Returns the terms that start with a text, by binary search. */
  findByPrefix(text: string): Range;
  /** Returns the first terms that end with a text, at most `limit`. Scans all terms, or stops with no steps left. */
  findBySuffix(text: string, limit: number, budget: Steps): number[];
  getNames(range: Range): string[];
  /** Returns the size of the terms of a range, in bytes. */
  countBytes(range: Range): number;
}

/** Limit of the size of a term in bytes. Words have at most 40 UTF-16 units, and Vietnamese terms repeat their accents. */
const maxTermBytes = 500;

/** Size of a term in bytes up to which several are read from memory together. */
const shortTermBytes = 24;

/** Encodes terms, each as its UTF-8 bytes in a string of Latin-1. They must be sorted. */
export const encodeTerms = (terms: readonly string[]) => Buffer.from(['', ...terms, ''].join(separator), 'latin1');

/**
 * Decodes terms from `encodeTerms`. Keeps them as bytes, because few are ever read. Throws DamagedIndex if `count` is wrong or one is too
 * long.
 */
export function decodeTerms(bytes: Buffer, count: number): Terms {
  /** Start offset of each term, and the end offset of the last one. */
  const starts = new Uint32Array(count + 1);
  let found = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === separatorByte) starts[found++] = at + 1;
  if (found !== count + 1 || starts[0] !== 1 || starts[count] !== bytes.length) {
    throw new DamagedIndex('The index has another number of terms than declared');
  }
  for (let i = 0; i < count; i++) {
    if ((starts[i + 1] ?? 0) - (starts[i] ?? 0) > maxTermBytes) throw new DamagedIndex('A term is too long');
  }

  /** Compares a term with a key byte by byte. Returns the first difference, or 0. Faster here than Buffer.compare. */
  function compareToKey(i: number, key: Buffer): number {
    const start = starts[i] ?? 0;
    for (let at = 0; at < key.length; at++) {
      const by = (bytes[start + at] ?? 0) - (key[at] ?? 0);
      if (by !== 0) return by;
    }
    return 0;
  }

  /** Returns the first term from `start` that meets a condition, by binary search. All later terms must meet it too. */
  function findFirst(holds: (i: number) => boolean, start = 0): number {
    let [low, high] = [start, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    count,
    memoryBytes: starts.byteLength,
    find(key) {
      const i = findFirst((at) => compareToKey(at, key) >= 0);
      return i < count && compareToKey(i, key) === 0 ? i : undefined;
    },
    findByPrefix(text) {
      const key = Buffer.from(text);
      const from = findFirst((i) => compareToKey(i, key) >= 0);
      return { from, to: findFirst((i) => compareToKey(i, key) > 0, from) };
    },
    findBySuffix(text, limit, budget) {
      const key = Buffer.from(text);
      const found: number[] = [];
      const endingSteps = costs.ending + costs.skippedByte * Math.max(0, bytes.length / count - shortTermBytes);
      let steps = budget.steps;
      for (let i = 0; i < count && found.length < limit && steps > 0; i++) {
        let at = (starts[i + 1] ?? 0) - 2; // the last byte, before the separator
        let left = key.length - 1;
        while (left >= 0 && bytes[at] === key[left]) {
          at--;
          left--;
        }
        if (left < 0) found.push(i);
        steps -= endingSteps + costs.byte * (key.length - 1 - left);
      }
      budget.steps = Math.max(0, steps);
      return found;
    },
    countBytes: ({ from, to }) => (starts[to] ?? 0) - (starts[from] ?? 0),
    getNames: ({ from, to }) =>
      from === to ? [] : bytes.toString('utf8', starts[from], (starts[to] ?? 0) - 1).split(separator),
  };
}
