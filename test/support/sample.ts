import { createHash } from 'node:crypto';
import { inject } from 'vitest';

/**
 * Draws some of many like cases, by the seed of the run: `TEST_SEED` repeats one, and `TEST_CASES=all` has every case tested, as
 * `npm run check` does. `named` tells a case from the others.
 */
export function sample<T>(cases: readonly T[], count: number, named: (one: T) => unknown = (one) => one): T[] {
  const seed = inject('seed');
  if (seed === 'all') return [...cases];
  const order = (one: T) =>
    createHash('sha256')
      .update(JSON.stringify([seed, named(one)]))
      .digest('hex');
  return cases.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)).slice(0, count);
}
