import { createHash } from 'node:crypto';
import { inject } from 'vitest';

const seed = inject('seed');

/** Returns a digest of the seed and a case. Sorting by it orders cases at random, and equally for equal seeds. */
const toSortKey = (named: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, named]))
    .digest('hex');

/** Returns the number of similar cases to test: a fifth, or all with `TEST_CASES=all`. */
export const getSampleSize = (cases: number): number => (seed === 'all' ? cases : Math.ceil(cases / 5));

/** True if the seed draws this test, with a probability of 1 to `oneIn`. Always true with `TEST_CASES=all`. */
export const isDrawn = (name: string, oneIn: number): boolean =>
  seed === 'all' || Number.parseInt(toSortKey(name).slice(0, 8), 16) % oneIn === 0;

/**
 * Draws `count` of many similar cases by the seed of the run. `TEST_SEED` repeats a draw, and `TEST_CASES=all` returns every case, as in
 * `npm run check`. `toName` returns a unique name of a case.
 */
export function drawSample<T>(cases: readonly T[], count: number, toName: (one: T) => unknown = (one) => one): T[] {
  if (seed === 'all') return [...cases];
  const order = (one: T) => toSortKey(toName(one));
  return cases.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, count);
}
