import { commonAmong } from './common-words.ts';
import type { Index } from './open.ts';
import type { Passage } from './passages.ts';
import { findStandIns, fullBudget, type Matches } from './stand-ins.ts';
import { termOf, wordsOf } from './words.ts';

/** A passage that was found. */
export interface Hit {
  /** The place of its index among those searched. */
  index: number;
  passage: Passage;
  /** Above 0. Scores compare within one search only. */
  score: number;
}

/** What counts of a query, in UTF-16 units. */
const longestQuery = 2_000;

/** Words of a query that are in no index, and for which others may stand in. */
const mostGuesses = 8;

/** Postings that a search reads: some 0.2 s. Ordinary questions to 50 of the longest documents need fewer. */
const mostPostings = 5_000_000;

/** BM25: how soon a repeated word counts no more, and how much the length of a passage is held against it. */
const k1 = 1.2;
const b = 0.75;

/** How much a word of everybody's counts, and one that only resembles that of the query. */
const weights = { common: 0.4, guessed: 0.7 };

/** A word of a query: the terms that it matches, how many postings they have, and how much it counts by itself. */
interface Word {
  matches: Matches;
  postings: number;
  weight: number;
}

/** Returns each index's term for a word, where it has one. */
const findExact = (indexes: readonly Index[], word: string): Matches =>
  indexes.map(({ terms }) => {
    const term = terms.find(word);
    return term === undefined ? [] : [term];
  });

const countPostings = (indexes: readonly Index[], matches: Matches): number =>
  indexes.reduce((sum, { holders }, i) => (matches[i] ?? []).reduce((all, term) => all + holders(term), sum), 0);

/** Finds what each word of a query matches; a word that matches nothing is left out. */
function* matchedWords(indexes: readonly Index[], query: string): Generator<Word> {
  const words = [...new Set(wordsOf(query.slice(0, longestQuery).toWellFormed()))];
  const common = new Set(commonAmong(words).map(termOf));
  let guessed = 0;
  const budget = fullBudget();
  for (const term of new Set(words.map(termOf))) {
    const matches = findExact(indexes, term);
    const postings = countPostings(indexes, matches);
    if (postings > 0) yield { matches, postings, weight: common.has(term) ? weights.common : 1 };
    else if (!common.has(term) && guessed++ < mostGuesses) {
      const guesses = findStandIns(indexes, term, budget);
      yield { matches: guesses, postings: countPostings(indexes, guesses), weight: weights.guessed };
    }
  }
}

/** Returns the words whose postings are read, in their order. Those with the fewest postings go first, for they say most. */
function affordable(words: readonly Word[]): Word[] {
  const read = new Set<Word>();
  let left = mostPostings;
  for (const word of words.toSorted((one, other) => one.postings - other.postings)) {
    left -= word.postings;
    if (left < 0) break;
    read.add(word);
  }
  return words.filter((word) => read.has(word));
}

/** The score of every passage of every index. */
function scoresOf(indexes: readonly Index[], query: string): Float64Array[] {
  const total = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const average = indexes.reduce((sum, { words }) => sum + words, 0) / total;
  const scores = indexes.map(({ lengths }) => new Float64Array(lengths.length));
  for (const { matches, postings, weight } of affordable([...matchedWords(indexes, query)])) {
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

/** The best, best first; of equals the first. */
function bestOf(scores: readonly Float64Array[], limit: number): Ranked[] {
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
 * The passages of several indexes that answer a query, best first, ranked as if they were of one: what is rare is rare
 * among all of them. At most `limit`; none where the query has no word that they hold. Nothing in a query is an
 * operator, and only its first 2 000 UTF-16 units count. Throws DamagedIndex.
 */
export function search(indexes: readonly Index[], query: string, limit: number): Hit[] {
  return bestOf(scoresOf(indexes, query), limit).flatMap(({ index, number, score }) => {
    const passage = indexes[index]?.passage(number);
    return passage ? [{ index, passage, score }] : [];
  });
}
