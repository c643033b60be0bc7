import { type Budget, costs, createBudget, spend } from './budget.ts';
import { findCommonWords } from './common-words.ts';
import type { Index, Postings } from './open.ts';
import type { Passage } from './passages.ts';
import { toTerms, type WordRules } from './stems.ts';
import { findSubstitutes, type Matches } from './substitutes.ts';
import { toTermKey } from './terms.ts';
import { splitWords } from './words.ts';

/** Passage that matches a query. */
export interface Hit {
  /** Position of its index in the list of searched indexes. */
  index: number;
  passage: Passage;
  /** Score above 0. Comparable within one search only. */
  score: number;
}

/** Maximum length of a query, in UTF-16 units. The rest is ignored. */
const maxQueryLength = 2_000;

/** Maximum number of unknown query words that get substitutes. */
const maxGuesses = 8;

/** Share of the budget that unknown words may use. The rest is for reading the postings. */
const guessShare = 0.6;

/** BM25 parameters: the saturation of repeated words, and the weight of the passage length. */
const k1 = 1.2;
const b = 0.75;

/** Weights of common words, and of substitutes for unknown ones. */
const weights = { common: 0.4, guessed: 0.7 };

/** Word of a query: the matching terms, the number of their postings, and the weight of the word. */
interface QueryWord {
  matches: Matches;
  postings: number;
  weight: number;
}

const countPostings = (indexes: readonly Index[], matches: Matches): number =>
  indexes.reduce(
    (sum, { countPassages: holders }, i) => (matches[i] ?? []).reduce((all, term) => all + holders(term), sum),
    0,
  );

/** Indexes with the same rules for words, and their positions in the list of searched indexes. */
interface Group {
  rules: WordRules;
  indexes: Index[];
  places: number[];
}

/** Groups the indexes by rules. The order of the groups does not depend on that of the indexes. */
function groupByRules(indexes: readonly Index[]): Group[] {
  const groups = Map.groupBy(indexes.keys(), (place) => indexes[place]?.rules ?? 'general');
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([rules, places]) => ({ rules, places, indexes: places.flatMap((place) => indexes[place] ?? []) }));
}

/** Word of a query with its matches in all indexes, and for each group its least specific term. */
interface FoundWord {
  matches: Matches;
  terms: Map<Group, string>;
}

/**
 * Finds the words in the indexes of a group: by the first of their terms that one of these has. Omits words with the term of an
 * earlier one, and the last words if finding them exceeds the budget. Goes index by index, which the processor's cache makes faster.
 */
function findInGroup(group: Group, words: readonly string[], budget: Budget, found: Map<string, FoundWord>): void {
  const { indexes, places, rules } = group;
  const taken = new Set<string>();
  const sought = [...words]
    .map((word) => ({ word, names: toTerms(word, rules).filter((name) => !taken.has(name) && taken.add(name)) }))
    .filter(({ names }) => names.length > 0 && spend(budget, costs.lookup * names.length * indexes.length))
    .map(({ word, names }) => ({ word, names, keys: names.map(toTermKey), numbers: names.map((): number[][] => []) }));
  for (const { terms } of indexes) {
    for (const { keys, numbers } of sought) {
      for (const [i, key] of keys.entries()) {
        const term = terms.find(key);
        numbers[i]?.push(term === undefined ? [] : [term]);
      }
    }
  }
  for (const { word, names, numbers } of sought) {
    const entry = found.get(word);
    if (!entry) continue;
    entry.terms.set(group, names.at(-1) ?? '');
    const best = numbers.find((lists) => lists.some(({ length }) => length > 0)) ?? [];
    for (const [i, place] of places.entries()) entry.matches[place] = best[i] ?? [];
  }
}

/** Returns the substitutes for a word that no index has. */
function guess(indexes: readonly Index[], { terms }: FoundWord, budget: Budget): Matches {
  const guesses: Matches = indexes.map(() => []);
  for (const [group, term] of terms) {
    const found = findSubstitutes(group.indexes, term, budget);
    for (const [i, place] of group.places.entries()) guesses[place] = found[i] ?? [];
  }
  return guesses;
}

/** Yields the words of a query with their matching terms. Omits words that match nothing. */
function* matchWords(indexes: readonly Index[], query: string, budget: Budget): Generator<QueryWord> {
  const text = query.slice(0, maxQueryLength).toWellFormed();
  const groups = groupByRules(indexes);
  const words = new Map(groups.map((group) => [group, [...new Set(splitWords(text, group.rules))]]));
  const all = [...new Set([...words.values()].flat())];
  const common = new Set(findCommonWords(all));
  const found = new Map(
    all.map((word): [string, FoundWord] => [word, { matches: indexes.map(() => []), terms: new Map() }]),
  );
  for (const [group, own] of words) findInGroup(group, own, budget, found);
  const reserved = budget.steps * (1 - guessShare);
  budget.steps -= reserved;
  let guessed = 0;
  for (const [word, entry] of found) {
    if (entry.terms.size === 0) continue;
    const { matches } = entry;
    const postings = countPostings(indexes, matches);
    if (postings > 0) yield { matches, postings, weight: common.has(word) ? weights.common : 1 };
    else if (!common.has(word) && guessed++ < maxGuesses) {
      const guesses = guess(indexes, entry, budget);
      yield { matches: guesses, postings: countPostings(indexes, guesses), weight: weights.guessed };
    }
  }
  budget.steps += reserved;
}

/** Returns the words with postings that fit the budget, in query order. Prefers rare words, because they are the most specific. */
function selectAffordable(words: readonly QueryWord[], budget: Budget): QueryWord[] {
  const read = new Set<QueryWord>();
  for (const word of words.toSorted((one, other) => one.postings - other.postings)) {
    const lists = word.matches.reduce((sum, { length }) => sum + length, 0);
    budget.postings -= word.postings;
    if (budget.postings < 0 || !spend(budget, costs.list * lists + costs.posting * word.postings)) break;
    read.add(word);
  }
  return words.filter((word) => read.has(word));
}

/** Returns what the length of each passage adds to the divisor of its scores. A plain loop: `from` is ten times slower. */
function weighLengths(lengths: Uint32Array, average: number): Float64Array {
  const added = new Float64Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) added[i] = k1 * (1 - b + b * ((lengths[i] ?? 0) / average));
  return added;
}

/** Adds the scores of a term to those of its passages. */
function addScores(scores: Float64Array, lengths: Float64Array, rarity: number, { passages, counts }: Postings): void {
  for (let i = 0; i < passages.length; i++) {
    const passage = passages[i] ?? 0;
    const times = counts[i] ?? 0;
    scores[passage] = (scores[passage] ?? 0) + (rarity * times * (k1 + 1)) / (times + (lengths[passage] ?? 0));
  }
}

/** Returns the scores of all passages of all indexes. Goes index by index, which the processor's cache makes faster. */
function scorePassages(indexes: readonly Index[], query: string): Float64Array[] {
  const total = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const average = indexes.reduce((sum, { words }) => sum + words, 0) / total;
  const budget = createBudget();
  budget.steps = Math.max(0, budget.steps - costs.passage * total);
  const words = selectAffordable([...matchWords(indexes, query, budget)], budget);
  return indexes.map((index, place) => {
    const scores = new Float64Array(index.lengths.length);
    const lengths = weighLengths(index.lengths, average);
    for (const { matches, postings, weight } of words) {
      const count = Math.min(total, postings);
      const rarity = weight * Math.log(1 + (total - count + 0.5) / (count + 0.5));
      for (const term of matches[place] ?? []) addScores(scores, lengths, rarity, index.postings(term));
    }
    return scores;
  });
}

interface Ranked {
  index: number;
  number: number;
  score: number;
}

/** Returns the lowest of the `count` highest scores, or 0 if fewer are above 0. A heap, because three million scores may ascend. */
function findLowestOfBest(scores: readonly Float64Array[], count: number): number {
  const heap = new Float64Array(count); // the children of a place, which are not lower, are at 2 × place + 1 and + 2
  for (const list of scores) {
    for (const score of list) {
      if (!(score > (heap[0] ?? Infinity))) continue;
      let place = 0;
      for (;;) {
        let next = 2 * place + 1;
        if ((heap[next + 1] ?? Infinity) < (heap[next] ?? Infinity)) next += 1;
        const lower = heap[next] ?? Infinity;
        if (lower >= score) break;
        heap[place] = lower;
        place = next;
      }
      heap[place] = score;
    }
  }
  return heap[0] ?? Infinity;
}

/** Returns the passages with the highest scores in descending order. Ties keep the order of the passages. */
function selectBest(scores: readonly Float64Array[], limit: number): Ranked[] {
  const lowest = findLowestOfBest(scores, limit);
  const [higher, equal]: [Ranked[], Ranked[]] = [[], []];
  for (const [index, list] of scores.entries()) {
    for (let number = 0; number < list.length; number++) {
      const score = list[number] ?? 0;
      if (score > lowest) higher.push({ index, number, score });
      else if (score === lowest && lowest > 0 && equal.length < limit) equal.push({ index, number, score });
    }
  }
  return [...higher.toSorted((one, other) => other.score - one.score), ...equal].slice(0, limit);
}

/**
 * Returns the best passages for a query, at most `limit`. Ranks several indexes like one, so a word is rare only if it is rare in all of
 * them. Returns none if no word of the query matches. Queries have no operators; only the first 2,000 UTF-16 units count. Throws
 * DamagedIndex.
 */
export function search(indexes: readonly Index[], query: string, limit: number): Hit[] {
  return selectBest(scorePassages(indexes, query), limit).flatMap(({ index, number, score }) => {
    const passage = indexes[index]?.passage(number);
    return passage ? [{ index, passage, score }] : [];
  });
}
