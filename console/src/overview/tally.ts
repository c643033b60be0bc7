import type { Series } from '../api/types.ts';
import { calls } from '../strings/calls.ts';
import { toVisibleName } from '../ui/text/visible-text.ts';

/** Numbers of calls. */
export interface Count {
  calls: number;
  minutes: number;
  /** Cost of the calls that have one. */
  cost: number;
}

/** Calls of an assistant, or of all remaining assistants if `id` is `others`. */
export interface Share extends Count {
  id: string;
}

export interface Tally {
  /** All assistants, sorted by number of calls, highest first. */
  assistants: Share[];
  /** The assistants that a chart shows separately, and the rest as `others`. */
  shares: Share[];
  /** Oldest first. */
  days: DayTally[];
}

/** Calls that started on a day. */
export interface DayTally {
  day: string;
  byShare: Map<string, Count>;
}

export const others = 'others';

/** Returns the names of assistants by id, each as of its newest call. `series` must be oldest first. */
export function getNames(series: Series): Map<string, string> {
  const names = new Map<string, string>();
  for (const { key, name } of series) {
    if (key === null) continue;
    names.set(key, toVisibleName(name ?? '', names.get(key) ?? calls.unnamed(key)));
  }
  return names;
}

const createCount = (): Count => ({ calls: 0, minutes: 0, cost: 0 });

function add(count: Count, { calls, minutes, cost }: Series[number]): void {
  count.calls += calls;
  count.minutes += minutes;
  count.cost += cost ?? 0;
}

/**
 * Sums up the calls of these days, by day and assistant. If there are more than `maxShares` assistants, those with the fewest calls are
 * grouped as `others`; if the group would have more than half of the calls, all are.
 */
export function tallyCalls(series: Series, days: readonly string[], maxShares: number): Tally {
  const known = new Set(days);
  const counted = series.filter(({ interval }) => known.has(interval));
  const byAssistant = new Map<string, Share>();
  for (const entry of counted) {
    const id = entry.key ?? others;
    const share = byAssistant.get(id) ?? { id, ...createCount() };
    add(share, entry);
    byAssistant.set(id, share);
  }

  const ranked = [...byAssistant.values()].toSorted((one, other) => other.calls - one.calls);
  const isCrowded = ranked.length > maxShares;
  const top = isCrowded ? ranked.slice(0, maxShares - 1) : ranked;
  const sum = (shares: Share[]) => shares.reduce((total, { calls }) => total + calls, 0);
  const named = 2 * sum(top) < sum(ranked) ? [] : top;
  const namedIds = new Set(named.map(({ id }) => id));
  const rest: Share = { id: others, ...createCount() };

  const byDay = new Map(days.map((day): [string, DayTally] => [day, { day, byShare: new Map() }]));
  for (const entry of counted) {
    const id = entry.key !== null && namedIds.has(entry.key) ? entry.key : others;
    if (id === others) add(rest, entry);
    const dayTally = byDay.get(entry.interval);
    if (!dayTally) continue;
    const count = dayTally.byShare.get(id) ?? createCount();
    add(count, entry);
    dayTally.byShare.set(id, count);
  }
  return { assistants: ranked, shares: isCrowded ? [...named, rest] : named, days: [...byDay.values()] };
}
