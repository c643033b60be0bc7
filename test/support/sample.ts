import { createHash } from 'node:crypto';
import { inject } from 'vitest';

const [cases, seed] = [inject('cases'), inject('seed')];

/** Returns a digest of the seed and a case. Sorting by it orders cases at random, and equally for equal seeds. */
const toSortKey = (named: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([seed, named]))
    .digest('hex');

/** Returns the number of random cases to test: a fifth of `count` in a run of few cases, half in one of many, or all. */
export const getSampleSize = (count: number): number => Math.ceil(count * { few: 0.2, many: 0.5, all: 1 }[cases]);

/** True if the seed draws this test: one in `oneIn` in a run of few cases, all but one in `oneIn` in one of many, or each. */
export function isDrawn(name: string, oneIn: number): boolean {
  const isChosen = Number.parseInt(toSortKey(name).slice(0, 8), 16) % oneIn === 0;
  return { few: isChosen, many: !isChosen, all: true }[cases];
}

/**
 * Draws some of similar cases by the seed of the run: `count` in a run of few cases, twice as many in one of many, or all. `toName`
 * returns a unique name of a case.
 */
export function drawSample<T>(all: readonly T[], count: number, toName: (one: T) => unknown = (one) => one): T[] {
  if (cases === 'all') return [...all];
  const order = (one: T) => toSortKey(toName(one));
  return all
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
    .slice(0, cases === 'few' ? count : 2 * count);
}
