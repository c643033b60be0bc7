import { findCommonWords } from './common-words.ts';
import type { Index } from './open.ts';
import type { Passage } from './passages.ts';
import { createSearchBudget, findSubstitutes, type Matches } from './substitutes.ts';
import { splitWords, toTerm } from './words.ts';

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

/** Limit of the postings that a search reads: about 0.2 s. Ordinary questions to 50 of the longest documents need fewer. */
const maxPostings = 5_000_000;

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

/** Returns the term of a word in each index, if any. */
const findExact = (indexes: readonly Index[], word: string): Matches =>
  indexes.map(({ terms }) => {
    const term = terms.find(word);
    return term === undefined ? [] : [term];
  });

const countPostings = (indexes: readonly Index[], matches: Matches): number =>
  indexes.reduce(
    (sum, { countPassages: holders }, i) => (matches[i] ?? []).reduce((all, term) => all + holders(term), sum),
    0,
  );

/** Yields the words of a query with their matching terms. Omits words that match nothing. */
function* matchWords(indexes: readonly Index[], query: string): Generator<QueryWord> {
  const words = [...new Set(splitWords(query.slice(0, maxQueryLength).toWellFormed()))];
  const common = new Set(findCommonWords(words).map(toTerm));
  let guessed = 0;
  const budget = createSearchBudget();
  for (const term of new Set(words.map(toTerm))) {
    const matches = findExact(indexes, term);
    const postings = countPostings(indexes, matches);
    if (postings > 0) yield { matches, postings, weight: common.has(term) ? weights.common : 1 };
    else if (!common.has(term) && guessed++ < maxGuesses) {
      const guesses = findSubstitutes(indexes, term, budget);
      yield { matches: guesses, postings: countPostings(indexes, guesses), weight: weights.guessed };
    }
  }
}

/** Returns the words whose postings fit the limit, in query order. Prefers rare words, because they are the most specific. */
function selectAffordable(words: readonly QueryWord[]): QueryWord[] {
  const read = new Set<QueryWord>();
  let left = maxPostings;
  for (const word of words.toSorted((one, other) => one.postings - other.postings)) {
    left -= word.postings;
    if (left < 0) break;
    read.add(word);
  }
  return words.filter((word) => read.has(word));
}

/** Returns the scores of all passages of all indexes. */
function scorePassages(indexes: readonly Index[], query: string): Float64Array[] {
  const total = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const average = indexes.reduce((sum, { words }) => sum + words, 0) / total;
  const scores = indexes.map(({ lengths }) => new Float64Array(lengths.length));
  for (const { matches, postings, weight } of selectAffordable([...matchWords(indexes, query)])) {
    const count = Math.min(total, postings);
    const rarity = weight * Math.log(1 + (total - count + 0.5) / (count + 0.5));
    for (const [place, index] of indexes.entries()) {
      const sums = scores[place] ?? [];
      for (const term of matches[place] ?? []) {
        const { passages, counts } = index.postings(term);
        for (let i = 0; i < passages.length; i++) {
          const passage = passages[i] ?? 0;
          const times = counts[i] ?? 0;
          const length = (index.lengths[passage] ?? 0) / average;
          sums[passage] = (sums[passage] ?? 0) + (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
        }
      }
    }
  }
  return scores;
}

interface Ranked {
  index: number;
  number: number;
  score: number;
}

/** Returns the passages with the highest scores in descending order. Ties keep the order of the passages. */
function selectBest(scores: readonly Float64Array[], limit: number): Ranked[] {
  const best: Ranked[] = [];
  for (const [index, list] of scores.entries()) {
    for (let number = 0; number < list.length; number++) {
      const score = list[number] ?? 0;
      if (score <= (best.length < limit ? 0 : (best.at(-1)?.score ?? Infinity))) continue;
      const place = best.findIndex((other) => other.score < score);
      best.splice(place < 0 ? best.length : place, 0, { index, number, score });
      if (best.length > limit) best.pop();
    }
  }
  return best;
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
