import { quantile } from '../corpus.ts';

/** What a number was in most of several measurements. */
export interface Spread {
  median: number;
  /** Where the true median lies with 95 % probability, whatever the distribution: two of the measurements, by their rank. */
  low: number;
  high: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((one, other) => one - other);
  const rank = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return {
    median: quantile(sorted, 0.5),
    low: sorted[rank] ?? Number.NaN,
    high: sorted[sorted.length - 1 - rank] ?? Number.NaN,
  };
}

const pairs = (ours: readonly number[], theirs: readonly number[], of: (one: number, other: number) => number) =>
  spreadOf(ours.map((one, round) => of(one, theirs[round] ?? Number.NaN)));

/** How many times theirs ours is, round by round: what slowed down a whole round is in both. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): Spread =>
  pairs(ours, theirs, (one, other) => one / other);

/** How much more ours is, round by round. */
export const excessOf = (ours: readonly number[], theirs: readonly number[]): Spread =>
  pairs(ours, theirs, (one, other) => one - other);
