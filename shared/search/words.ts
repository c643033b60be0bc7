import { stemmer } from '@orama/stemmers/english';

/** Longer ones are cut: they are no words, and an index need not carry them. In UTF-16 units. */
const longestWord = 40;

const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}';
const southeast = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Letters, marks and digits in a row, apart by how their script parts words. */
const runs = new RegExp(
  `(?<pairs>[${unspaced}]+)|(?<dictionary>[${southeast}]+)|(?:(?![${unspaced}${southeast}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
const latin = /[a-z0-9]+/g;

/** Between digits a comma, a point, an apostrophe or a space before each three: 3,650 is the same number as 3650. */
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
 * Thai and its neighbours are parted by the platform's dictionary. Accents remain, for stems need them.
 */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(thousands, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it asks whether all is ASCII
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.match(latin)?.map((word) => word.slice(0, longestWord)) ?? [];
  const words: string[] = [];
  for (const { 0: run, groups } of plain.matchAll(runs)) {
    if (groups?.pairs) for (const pair of pairsOf(run)) words.push(pair);
    else if (groups?.dictionary) {
      for (const { segment } of dictionary.segment(run)) words.push(segment.slice(0, longestWord));
    } else words.push(run.slice(0, longestWord));
  }
  return words;
}

/** Marks on letters that are read without them too. Those of Thai or Hindi are vowels, and stay. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/**
 * What an index holds of a word: without ending and accents. The endings are those of English, whatever the language:
 * to know it did not find more, and would make the same word two terms. See decision 0007.
 */
export function termOf(word: string): string {
  const stem = stemmer(word);
  return /^[a-z0-9]*$/.test(stem)
    ? stem
    : stem.normalize('NFD').replaceAll(accents, '').normalize('NFC').replaceAll('ß', 'ss');
}
