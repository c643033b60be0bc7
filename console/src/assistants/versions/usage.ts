import type { Series } from '../../api/types.ts';

/** Numbers of the calls that got a version. Latencies are in milliseconds, null if no worker reported any. */
export interface VersionUsage {
  calls: number;
  p50: number | null;
  p95: number | null;
  /** Null if no call has a cost. */
  cost: number | null;
}

export const noUsage: VersionUsage = { calls: 0, p50: null, p95: null, cost: null };

interface Weighted {
  value: number;
  turns: number;
}

/** Averages estimates by the turns that each is made from. */
function average(estimates: readonly Weighted[]): number | null {
  const turns = estimates.reduce((sum, one) => sum + one.turns, 0);
  return turns === 0 ? null : estimates.reduce((sum, one) => sum + one.value * one.turns, 0) / turns;
}

/**
 * Adds up usage by version. Keys are the id of the assistant and the number of the version, 0 for the draft. Percentiles of several
 * intervals are averaged: their histograms are not in the answer.
 */
export function sumByVersion(series: Series): Map<number, VersionUsage> {
  const versions = Map.groupBy(series, ({ key }) => Number(key?.split('/').at(-1) ?? 0));
  return new Map(
    [...versions].map(([version, entries]) => {
      const latencies = entries.flatMap(({ latency }) => latency.e2e ?? []);
      const costs = entries.flatMap(({ cost }) => cost ?? []);
      return [
        version,
        {
          calls: entries.reduce((sum, { calls }) => sum + calls, 0),
          p50: average(latencies.map(({ p50, turns }) => ({ value: p50, turns }))),
          p95: average(latencies.map(({ p95, turns }) => ({ value: p95, turns }))),
          cost: costs.length > 0 ? costs.reduce((sum, cost) => sum + cost) : null,
        },
      ];
    }),
  );
}
