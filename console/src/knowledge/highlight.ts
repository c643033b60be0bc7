import { findCommonWords } from '../../../shared/search/common-words.ts';
import { chooseRules, toTerm, type WordRules } from '../../../shared/search/stems.ts';
import type { TextPart } from '../ui/text/highlighted-text.tsx';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const normalizeWord = (word: string) => word.normalize('NFKC').toLowerCase();

function listWords(query: string): string[] {
  return [...segmenter.segment(query)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => normalizeWord(segment));
}

/** Returns the search terms of a query: its words as the API normalizes them, without the most common ones. */
function listTerms(query: string, rules: WordRules): Set<string> {
  const words = listWords(query);
  const common = new Set(findCommonWords(words));
  const distinctive = words.filter((word) => !common.has(word));
  return new Set((distinctive.length > 0 ? distinctive : words).map((word) => toTerm(word, rules)));
}

/** Splits a text into parts, in order, and marks the words that match the query in any form. */
export function highlight(text: string, query: string): TextPart[] {
  const rules = chooseRules(listWords(text));
  const terms = listTerms(query, rules);
  const parts: TextPart[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const isMatch = terms.has(toTerm(normalizeWord(segment), rules));
    const last = parts.at(-1);
    if (last && !last.isMatch && !isMatch) last.text += segment;
    else parts.push({ text: segment, isMatch });
  }
  return parts;
}
