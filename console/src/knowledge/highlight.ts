import { commonAmong } from '../../../shared/search/common-words.ts';
import { termOf } from '../../../shared/search/words.ts';
import type { Piece } from '../ui/pieces.tsx';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const plain = (word: string) => word.normalize('NFKC').toLowerCase();

function wordsOf(query: string): string[] {
  return [...segmenter.segment(query)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => plain(segment));
}

/** What is looked for: the words of a query in the form in which the service compares them, without the commonest ones. */
function termsOf(query: string): Set<string> {
  const words = wordsOf(query);
  const common = new Set(commonAmong(words));
  const telling = words.filter((word) => !common.has(word));
  return new Set((telling.length > 0 ? telling : words).map(termOf));
}

/** The pieces of a text, in order and whole, of which those are marked that the query asks for in whatever form. */
export function highlight(text: string, query: string): Piece[] {
  const terms = termsOf(query);
  const pieces: Piece[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const isMarked = terms.has(termOf(plain(segment)));
    const last = pieces.at(-1);
    if (last && !last.isMarked && !isMarked) last.text += segment;
    else pieces.push({ text: segment, isMarked });
  }
  return pieces;
}
