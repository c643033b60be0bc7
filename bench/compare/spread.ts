import { quantile } from '../corpus.ts';

/** Median of several measurements with its 95 % confidence interval. */
export interface Spread {
  median: number;
  /** Bounds of the confidence interval: two of the measurements, chosen by rank. Valid for any distribution. */
  low: number;
  high: number;
}

export function toSpread(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((one, other) => one - other);
  const rank = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return {
    median: quantile(sorted, 0.5),
    low: sorted[rank] ?? Number.NaN,
    high: sorted[sorted.length - 1 - rank] ?? Number.NaN,
  };
}

const comparePairs = (ours: readonly number[], theirs: readonly number[], of: (one: number, other: number) => number) =>
  toSpread(ours.map((one, round) => of(one, theirs[round] ?? Number.NaN)));

/** Returns the ratio of ours to theirs. Compares round by round, because other load slows down both in the same round. */
export const toRatio = (ours: readonly number[], theirs: readonly number[]): Spread =>
  comparePairs(ours, theirs, (one, other) => one / other);

/** Returns the difference between ours and theirs, round by round. */
export const toExcess = (ours: readonly number[], theirs: readonly number[]): Spread =>
  comparePairs(ours, theirs, (one, other) => one - other);
