import { languages } from './languages.ts';
import type { Index } from './open.ts';
import type { Passage } from './passages.ts';
import { termOf, wordsOf } from './words.ts';

/** A passage that was found. `index` is its place among those searched; scores of one search compare, others do not. */
export interface Hit {
  index: number;
  passage: Passage;
  score: number;
}

/** What counts of a query, in UTF-16 units. */
export const longestQuery = 2_000;

/** Of BM25: how soon a word that is repeated counts no more, and how much a long passage is held against it. */
export const tuning = { k1: 1.2, b: 0.75 };

/** The terms that a word of a query may be in these indexes: its stem in each language that they speak. */
function variantsOf(word: string, spoken: number): string[] {
  const terms = languages.flatMap((_, number) => (spoken & (1 << number) ? [termOf(word, number)] : []));
  return [...new Set(terms)];
}

interface Match {
  index: number;
  passages: Uint32Array;
  counts: Uint32Array;
}

export function search(indexes: readonly Index[], query: string, limit: number): Hit[] {
  const spoken = indexes.reduce((all, one) => all | one.spoken, 0);
  const total = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const words = indexes.reduce((sum, { lengths }) => lengths.reduce((s, l) => s + l, sum), 0);
  const average = words / total;
  const scores = indexes.map(({ lengths }) => new Float64Array(lengths.length));
  for (const word of new Set(wordsOf(query.slice(0, longestQuery).toWellFormed()))) {
    const matches: Match[] = variantsOf(word, spoken).flatMap((term) => indexes.flatMap((one, index) => {
      const found = one.postings(term);
      return found ? [{ index, ...found }] : [];
    }));
    const count = matches.reduce((sum, { passages }) => sum + passages.length, 0);
    const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5));
    for (const { index, passages, counts } of matches) {
      const lengths = indexes[index]!.lengths;
      const into = scores[index]!;
      for (let i = 0; i < passages.length; i++) {
        const p = passages[i]!;
        const c = counts[i]!;
        into[p]! += rarity * (c * (tuning.k1 + 1)) / (c + tuning.k1 * (1 - tuning.b + tuning.b * lengths[p]! / average));
      }
    }
  }
  const best: { index: number; number: number; score: number }[] = [];
  scores.forEach((list, index) => list.forEach((score, number) => { if (score > 0) best.push({ index, number, score }); }));
  best.sort((a, b) => b.score - a.score || a.index - b.index || a.number - b.number);
  return best.slice(0, limit).map(({ index, number, score }) => ({ index, score, passage: indexes[index]!.passage(number) }));
}
