import { distance } from 'fastest-levenshtein';
import type { Index } from './open.ts';
import type { Range } from './terms.ts';

/** Numbers of the matching terms, one list per index. */
export type Matches = number[][];

/** Maximum number of substitutes for a word in one index: the first ones in byte order. */
const maxSubstitutes = 500;

/** Budget of a search for its unknown words, spent in query order. */
export interface SearchBudget {
  /** Number of terms whose suffixes may be compared: about 0.1 s. */
  endings: number;
  /** Number of terms whose spelling may be compared: about 0.1 s. */
  comparisons: number;
}

export const createSearchBudget = (): SearchBudget => ({ endings: 10_000_000, comparisons: 300_000 });

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Returns the terms that start or end with a word. Skips suffixes if the indexes have more terms than the budget. */
function findAround(indexes: readonly Index[], word: string, budget: SearchBudget): Matches {
  const termCount = sum(indexes.map(({ terms }) => terms.count));
  const affordable = termCount <= budget.endings;
  if (affordable) budget.endings -= termCount;
  return indexes.map(({ terms }) => {
    const { from, to } = terms.findByPrefix(word);
    const beginning = Array.from({ length: Math.min(to - from, maxSubstitutes) }, (_, i) => from + i);
    const ending = affordable ? terms.findBySuffix(word, maxSubstitutes) : [];
    return [...new Set([...beginning, ...ending])].sort((one, other) => one - other).slice(0, maxSubstitutes);
  });
}

/**
 * Returns the terms to compare with a word, one range per index. They share its first letter, or a longer prefix if needed to stay
 * within the budget. Returns none if even the whole word is too short for that.
 */
function findComparable(indexes: readonly Index[], word: string, budget: SearchBudget): Range[] {
  let shared = '';
  for (const letter of word) {
    shared += letter;
    const ranges = indexes.map(({ terms }) => terms.findByPrefix(shared));
    const compared = sum(ranges.map(({ from, to }) => to - from));
    if (compared > budget.comparisons) continue;
    budget.comparisons -= compared;
    return ranges;
  }
  return [];
}

/** Returns the terms with the most similar spelling: within one edit, or two for words of six or more letters. */
function findNearest(indexes: readonly Index[], word: string, budget: SearchBudget): Matches {
  const maxEdits = word.length > 5 ? 2 : 1;
  const byEdits = Array.from({ length: maxEdits + 1 }, () => indexes.map((): number[] => []));
  for (const [place, range] of findComparable(indexes, word, budget).entries()) {
    for (const [i, name] of (indexes[place]?.terms.getNames(range) ?? []).entries()) {
      if (Math.abs(name.length - word.length) > maxEdits) continue;
      byEdits[distance(name, word)]?.[place]?.push(range.from + i);
    }
  }
  const nearest = byEdits.find((lists) => lists.some((list) => list.length > 0)) ?? [];
  return nearest.map((list) => list.slice(0, maxSubstitutes));
}

/**
 * Returns substitutes for a word that no index contains: terms that start or end with it, such as German compounds, else those with the
 * most similar spelling, because callers' words are often misheard. Does not depend on the order of the indexes.
 */
export function findSubstitutes(indexes: readonly Index[], word: string, budget: SearchBudget): Matches {
  const around = word.length < 5 ? [] : findAround(indexes, word, budget);
  if (word.length < 4 || around.some((list) => list.length > 0)) return around;
  return findNearest(indexes, word, budget);
}
