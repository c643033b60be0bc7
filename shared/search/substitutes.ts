import { distance } from 'fastest-levenshtein';
import { type Budget, costs, countSpellingSteps, spend } from './budget.ts';
import type { Index } from './open.ts';
import type { Range } from './terms.ts';

/** Numbers of the matching terms, one list per index. */
export type Matches = number[][];

/** Maximum number of substitutes for a word in one index: the first ones in byte order. */
const maxSubstitutes = 500;

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const countTerms = (matches: Matches) => sum(matches.map(({ length }) => length));

/** Takes the steps of choosing substitutes, or all that are left. */
function spendOnSubstitutes(matches: Matches, budget: Budget): void {
  budget.steps = Math.max(0, budget.steps - costs.substitute * countTerms(matches));
}

/** Returns the terms that end with a word. Returns none if comparing those of all indexes exceeds the budget. */
function findEnding(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const termCount = sum(indexes.map(({ terms }) => terms.count));
  const none = indexes.map(() => []);
  if (termCount > budget.endings) return none;
  budget.endings -= termCount;
  const found = indexes.map(({ terms }) => terms.findBySuffix(word, maxSubstitutes, budget));
  return budget.steps > 0 ? found : none;
}

/** Returns the terms that start or end with a word. Finds beginnings even if no steps are left. */
function findAround(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const endings = findEnding(indexes, word, budget);
  const found = indexes.map(({ terms }, place) => {
    const { from, to } = terms.findByPrefix(word);
    const beginning = Array.from({ length: Math.min(to - from, maxSubstitutes) }, (_, i) => from + i);
    return [...new Set([...beginning, ...(endings[place] ?? [])])]
      .sort((one, other) => one - other)
      .slice(0, maxSubstitutes);
  });
  spendOnSubstitutes(found, budget);
  return found;
}

/**
 * Returns the terms to compare with a word, one range per index. They share its first letter, or a longer prefix if needed to stay
 * within the budget. Returns none if even the whole word is too short for that.
 */
function findComparable(indexes: readonly Index[], word: string, budget: Budget): Range[] {
  let shared = '';
  for (const letter of word) {
    if (!spend(budget, 2 * costs.lookup * indexes.length)) return [];
    shared += letter;
    const ranges = indexes.map(({ terms }) => terms.findByPrefix(shared));
    const compared = sum(ranges.map(({ from, to }) => to - from));
    if (compared > budget.comparisons) continue;
    const bytes = sum(ranges.map((range, i) => indexes[i]?.terms.countBytes(range) ?? 0));
    if (!spend(budget, compared * countSpellingSteps(word.length) + bytes * costs.decodedByte)) continue;
    budget.comparisons -= compared;
    return ranges;
  }
  return [];
}

/** Returns the terms with the most similar spelling: within one edit, or two for words of six or more letters. */
function findNearest(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const maxEdits = word.length > 5 ? 2 : 1;
  const byEdits = Array.from({ length: maxEdits + 1 }, () => indexes.map((): number[] => []));
  for (const [place, range] of findComparable(indexes, word, budget).entries()) {
    for (const [i, name] of (indexes[place]?.terms.getNames(range) ?? []).entries()) {
      if (Math.abs(name.length - word.length) > maxEdits) continue;
      byEdits[distance(name, word)]?.[place]?.push(range.from + i);
    }
  }
  const nearest = byEdits.find((lists) => lists.some((list) => list.length > 0)) ?? [];
  const chosen = nearest.map((list) => list.slice(0, maxSubstitutes));
  spendOnSubstitutes(chosen, budget);
  return chosen;
}

/**
 * Returns substitutes for a word that no index contains: terms that start or end with it, such as German compounds, else those with the
 * most similar spelling, because callers' words are often misheard. Does not depend on the order of the indexes.
 */
export function findSubstitutes(indexes: readonly Index[], word: string, budget: Budget): Matches {
  const around = word.length < 5 ? [] : findAround(indexes, word, budget);
  if (word.length < 4 || around.some((list) => list.length > 0)) return around;
  return findNearest(indexes, word, budget);
}
