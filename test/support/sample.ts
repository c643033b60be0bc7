import { createHash } from 'node:crypto';
import { inject } from 'vitest';

const seed = inject('seed');

/** Digest of the seed and a case: a random order of cases, the same for the same seed. */
const toOrder = (named: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, named]))
    .digest('hex');

/** How many of so many like cases to try: all of them with `TEST_CASES=all`, a fifth otherwise. */
export const sampleSize = (cases: number): number => (seed === 'all' ? cases : Math.ceil(cases / 5));

/** True for one of so many tests, by the seed of the run, and for all with `TEST_CASES=all`. */
export const isDrawn = (name: string, oneIn: number): boolean =>
  seed === 'all' || Number.parseInt(toOrder(name).slice(0, 8), 16) % oneIn === 0;

/**
 * Draws some of many like cases, by the seed of the run: `TEST_SEED` repeats one, and `TEST_CASES=all` has every case tested, as
 * `npm run check` does. `named` tells a case from the others.
 */
export function sample<T>(cases: readonly T[], count: number, named: (one: T) => unknown = (one) => one): T[] {
  if (seed === 'all') return [...cases];
  const order = (one: T) => toOrder(named(one));
  return cases.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, count);
}
