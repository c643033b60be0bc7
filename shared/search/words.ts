import { stemmer } from '@orama/stemmers/english';
import { foldAccents } from '../domain/fold.ts';

/** Longer ones are cut: they are no words, and an index need not carry them. In UTF-16 units. */
const longestWord = 40;

const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}';
const southeast = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Letters, marks and digits in a row, apart by how their script parts words. */
const runs = new RegExp(
  `(?<pairs>[${unspaced}]+)|(?<dictionary>(?:(?=[\\p{L}\\p{M}\\p{N}])[${southeast}])+)|(?:(?![${unspaced}${southeast}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
/** The same for a text that has no other characters, at a third of the time. */
const latin = /[a-z0-9]+/g;

/** Between digits what parts off three of them, as in 3,650: it is the same number as 3650. */
const thousands = /(?<=\d)[,.'’\u00a0\u202f](?=\d{3}(?!\d))/gu;

const dictionary = new Intl.Segmenter('th', { granularity: 'word' });

function* pairsOf(run: string): Generator<string> {
  const characters = [...run];
  if (characters.length === 1) yield run;
  for (let i = 1; i < characters.length; i++) yield `${characters[i - 1]}${characters[i]}`;
}

/**
 * The words of a text or a query in order, as they are compared: compatible forms and cases are one, digits are joined.
 * Chinese, Japanese and Korean give each two neighbouring characters, as no two segmentations agree on what a word is;
 * Thai and its neighbours are parted by the platform's dictionary. Accents remain, as the common words have them.
 */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(thousands, '');
  const ascii = Buffer.byteLength(plain) === plain.length;
  if (ascii) return plain.match(latin)?.map((word) => word.slice(0, longestWord)) ?? [];
  const words: string[] = [];
  for (const { 0: run, groups } of plain.matchAll(runs)) {
    if (groups?.pairs) for (const pair of pairsOf(run)) words.push(pair);
    else if (groups?.dictionary) {
      for (const { segment } of dictionary.segment(run)) words.push(segment.slice(0, longestWord));
    } else words.push(run.slice(0, longestWord));
  }
  return words;
}

/**
 * What an index holds of a word: no accents, which callers' words often lack, and no ending. The endings are those of English, whatever the language: to
 * know the language found no more, and the same word would be several terms. See decision 0007.
 */
export const termOf = (word: string): string => stemmer(foldAccents(word));
