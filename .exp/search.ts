import { distance } from 'fastest-levenshtein';
import { languages, languageOf } from './languages.ts';
import type { Index } from './open.ts';
import type { Passage } from './passages.ts';
import { termOf, wordsOf } from './words.ts';

export interface Hit {
  index: number;
  passage: Passage;
  score: number;
}

export const longestQuery = 2_000;
export const tuning = { k1: 1.2, b: 0.75, stop: 0, fuzzy: 0, contain: 0, coord: 0, fw: 1, min5: 1, max6: 2, sw: 1, prox: 0, top: 40 };

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
  const hits = indexes.map(({ lengths }) => new Float64Array(lengths.length));
  let list = [...new Set(wordsOf(query.slice(0, longestQuery).toWellFormed()))];
  if (tuning.stop) { const kept = list.filter(w => !languages.some((l, n) => (spoken & (1 << n)) && l.common.has(w))); if (kept.length) list = kept; }
  const matchesOf = (terms: string[]): Match[] => terms.flatMap((term) => indexes.flatMap((one, index) => {
      const found = one.postings(term);
      return found ? [{ index, ...found }] : [];
    }));
  const seen = new Set<string>();
  for (const word of list) {
    const variants = variantsOf(word, spoken);
    if (process.env.DEDUPE) { const k = variants.join(' '); if (seen.has(k)) continue; seen.add(k); }
    let matches = matchesOf(variants);
    let w = (process.env.SW === 'union' ? languages.some((l) => l.common.has(word)) : process.env.SW === 'en' ? languages[0]!.common.has(word) : languages[languageOf(list)]!.common.has(word)) ? tuning.sw : 1;
    if (matches.length === 0 && tuning.contain && word.length >= 5) {
      const near = new Set<string>();
      for (const v of variants) for (const ix of indexes) for (const t of ix.termsFrom('')) if (v.length >= 5 && (t.endsWith(v) || t.startsWith(v))) near.add(t);
      matches = matchesOf([...near]); w = tuning.fw;
    }
    if (matches.length === 0 && tuning.fuzzy && word.length >= 4) {
      let best = word.length > 5 ? tuning.max6 : tuning.min5;
      let near = new Set<string>();
      for (const v of variants) for (const ix of indexes) for (const t of ix.termsFrom(v.slice(0, 1))) {
        if (Math.abs(t.length - v.length) > best) continue;
        const d = distance(t, v);
        if (d < best) { best = d; near = new Set(); }
        if (d === best) near.add(t);
      }
      matches = matchesOf([...near]); w = tuning.fw;
    }
    const count = Math.min(total, matches.reduce((sum, { passages }) => sum + passages.length, 0));
    const rarity = w * Math.log(1 + (total - count + 0.5) / (count + 0.5));
    for (const { index, passages, counts } of matches) {
      const lengths = indexes[index]!.lengths;
      const into = scores[index]!;
      for (let i = 0; i < passages.length; i++) {
        const p = passages[i]!;
        const c = counts[i]!;
        hits[index]![p]!++;
        into[p]! += rarity * (c * (tuning.k1 + 1)) / (c + tuning.k1 * (1 - tuning.b + tuning.b * lengths[p]! / average));
      }
    }
  }
  const best: { index: number; number: number; score: number }[] = [];
  scores.forEach((l, index) => l.forEach((score, number) => { if (score > 0) best.push({ index, number, score: score * (1 + tuning.coord * hits[index]![number]! / list.length) }); }));
  best.sort((a, b) => b.score - a.score || a.index - b.index || a.number - b.number);
  if (tuning.prox) {
    const head = best.slice(0, tuning.top);
    const terms = new Map<string, number>();
    list.forEach((word, i) => { for (const v of variantsOf(word, spoken)) terms.set(v, i); });
    const common = new Set(list.filter(w => languages.some((l, n) => (spoken & (1 << n)) && l.common.has(w))));
    for (const one of head) {
      const ws = wordsOf(indexes[one.index]!.passage(one.number).text);
      const at: [number, number][] = [];
      ws.forEach((w, pos) => { if (common.has(w)) return; for (const v of variantsOf(w, spoken)) { const i = terms.get(v); if (i !== undefined) { at.push([i, pos]); break; } } });
      let bonus = 0;
      const pairs = new Map<string, number>();
      for (let i = 1; i < at.length; i++) { const [a, pa] = at[i-1]!, [b, pb] = at[i]!; if (a !== b) { const k = a < b ? `${a} ${b}` : `${b} ${a}`; pairs.set(k, Math.max(pairs.get(k) ?? 0, 1 / (pb - pa))); } }
      for (const v of pairs.values()) bonus += v;
      one.score += tuning.prox * bonus;
    }
    head.sort((a, b) => b.score - a.score);
    best.splice(0, head.length, ...head);
  }
  return best.slice(0, limit).map(({ index, number, score }) => ({ index, score, passage: indexes[index]!.passage(number) }));
}
