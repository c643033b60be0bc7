import { distance } from 'fastest-levenshtein';
import { commonAmong } from './common-words.ts';
import type { Index, Postings } from './open.ts';
import type { Passage } from './passages.ts';
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

/** With how many terms the words of a query are compared by their spelling, all together: some 0.2 s. */
const mostComparisons = 300_000;

/** Words of a query that are in no index, and for which others may stand in. Each looks through all terms. */
const mostGuesses = 8;

/** BM25: how soon a repeated word counts no more, and how much the length of a passage is held against it. */
const k1 = 1.2;
const b = 0.75;

/** How much a word of everybody's counts, and one that only resembles that of the query. */
const weights = { common: 0.4, guessed: 0.7 };

/**
 * Terms that may stand in for one that no index has: those that begin or end with it, as German compounds do, else
 * the nearest in spelling, for a caller's words are misheard. In an order that does not depend on the indexes.
 */
function guesses(indexes: readonly Index[], term: string, budget: { left: number }): string[] {
  const around = term.length < 5 ? [] : indexes.flatMap(({ terms }) => terms.around(term));
  if (around.length > 0) return [...new Set(around)].sort();
  if (term.length < 4) return [];
  let nearest = new Set<string>();
  let least = term.length > 5 ? 2 : 1;
  const [initial = ''] = term;
  for (const other of beginning(indexes, initial)) {
    if (budget.left-- <= 0) break;
    if (Math.abs(other.length - term.length) > least) continue;
    const edits = distance(other, term);
    if (edits < least) nearest = new Set();
    least = Math.min(edits, least);
    if (edits === least) nearest.add(other);
  }
  return [...nearest].sort();
}

/** The terms of all indexes that begin with a letter, one index after the other. */
function* beginning(indexes: readonly Index[], initial: string): Generator<string> {
  for (const { terms } of indexes) yield* terms.startingWith(initial);
}

/** Postings of terms, with the place of their index. */
type Match = Postings & { index: number };

function matchesOf(indexes: readonly Index[], terms: readonly string[]): Match[] {
  return terms.flatMap((term) =>
    indexes.flatMap((one, index) => {
      const postings = one.postings(term);
      return postings ? [{ index, ...postings }] : [];
    }),
  );
}

/** What each word of a query matches, and how much it counts by itself. */
function* wordMatches(indexes: readonly Index[], query: string): Generator<{ matches: Match[]; weight: number }> {
  const words = [...new Set(wordsOf(query.slice(0, longestQuery).toWellFormed()))];
  const common = new Set(commonAmong(words).map(termOf));
  let guessed = 0;
  const budget = { left: mostComparisons };
  for (const term of new Set(words.map(termOf))) {
    const matches = matchesOf(indexes, [term]);
    if (matches.length > 0) yield { matches, weight: common.has(term) ? weights.common : 1 };
    else if (!common.has(term) && guessed++ < mostGuesses) {
      yield { matches: matchesOf(indexes, guesses(indexes, term, budget)), weight: weights.guessed };
    }
  }
}

/** The score of every passage of every index. */
function scoresOf(indexes: readonly Index[], query: string): Float64Array[] {
  const total = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const average = indexes.reduce((sum, { words }) => sum + words, 0) / total;
  const scores = indexes.map(({ lengths }) => new Float64Array(lengths.length));
  for (const { matches, weight } of wordMatches(indexes, query)) {
    const count = Math.min(
      total,
      matches.reduce((sum, { passages }) => sum + passages.length, 0),
    );
    const rarity = weight * Math.log(1 + (total - count + 0.5) / (count + 0.5));
    for (const { index, passages, counts } of matches) {
      const lengths = indexes[index]?.lengths ?? [];
      const sums = scores[index] ?? [];
      for (let i = 0; i < passages.length; i++) {
        const passage = passages[i] ?? 0;
        const times = counts[i] ?? 0;
        const length = (lengths[passage] ?? 0) / average;
        sums[passage] = (sums[passage] ?? 0) + (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
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
