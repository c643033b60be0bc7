import { distance } from 'fastest-levenshtein';
import type { Index } from './open.ts';
import type { Range } from './terms.ts';

/** Numbers of terms, a list for each of several indexes. */
export type Matches = number[][];

/** Most terms of one index that stand in for a word: the first in the order of their bytes. */
const mostStandIns = 500;

/** Budget of one search for all its words that no index has, spent in the order of the query. */
export interface Budget {
  /** Terms whose ends may be looked at: some 0.1 s. */
  endings: number;
  /** Terms whose spelling may be compared: some 0.1 s. */
  comparisons: number;
}

export const fullBudget = (): Budget => ({ endings: 10_000_000, comparisons: 300_000 });

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Returns the terms that begin or end with a word. Ends do not count where the indexes have more terms than is left. */
function findAround(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const looked = sum(indexes.map(({ terms }) => terms.count));
  const affordable = looked <= budget.endings;
  if (affordable) budget.endings -= looked;
  return indexes.map(({ terms }) => {
    const { from, to } = terms.beginning(word);
    const beginning = Array.from({ length: Math.min(to - from, mostStandIns) }, (_, i) => from + i);
    const ending = affordable ? terms.ending(word, mostStandIns) : [];
    return [...new Set([...beginning, ...ending])].sort((one, other) => one - other).slice(0, mostStandIns);
  });
}

/**
 * Returns the terms to compare with a word, a range for each index: those with the same first letter, or with as many more
 * of the same letters as it takes to be within the budget. None where all its letters do not suffice.
 */
function findComparable(indexes: readonly Index[], word: string, budget: Budget): Range[] {
  let shared = '';
  for (const letter of word) {
    shared += letter;
    const ranges = indexes.map(({ terms }) => terms.beginning(shared));
    const compared = sum(ranges.map(({ from, to }) => to - from));
    if (compared > budget.comparisons) continue;
    budget.comparisons -= compared;
    return ranges;
  }
  return [];
}

/** Returns the terms that are nearest to a word in spelling, at most one edit away, or two from a word of six letters. */
function findNearest(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const mostEdits = word.length > 5 ? 2 : 1;
  const byEdits = Array.from({ length: mostEdits + 1 }, () => indexes.map((): number[] => []));
  for (const [place, range] of findComparable(indexes, word, budget).entries()) {
    for (const [i, name] of (indexes[place]?.terms.names(range) ?? []).entries()) {
      if (Math.abs(name.length - word.length) > mostEdits) continue;
      byEdits[distance(name, word)]?.[place]?.push(range.from + i);
    }
  }
  const nearest = byEdits.find((lists) => lists.some((list) => list.length > 0)) ?? [];
  return nearest.map((list) => list.slice(0, mostStandIns));
}

/**
 * Returns the terms that may stand in for a word that no index has: those that begin or end with it, as German compounds
 * do, else the nearest in spelling, for a caller's words are misheard. The order of the indexes does not matter.
 */
export function findStandIns(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const around = word.length < 5 ? [] : findAround(indexes, word, budget);
  if (word.length < 4 || around.some((list) => list.length > 0)) return around;
  return findNearest(indexes, word, budget);
}
