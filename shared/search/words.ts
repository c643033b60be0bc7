import type { WordRules } from './stems.ts';

/** Maximum length of a word, in UTF-16 units. Longer runs of letters are not words, and are cut to save space. */
const maxWordLength = 40;

const unspacedScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}';
const southeastScripts = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Matches runs of letters, marks and digits, grouped by how their script separates words. */
const wordRuns = new RegExp(
  `(?<pairs>[${unspacedScripts}]+)|(?<dictionary>(?:(?=[\\p{L}\\p{M}\\p{N}])[${southeastScripts}])+)|(?:(?![${unspacedScripts}${southeastScripts}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
/** Matches the runs of ASCII text, three times as fast. */
const latinRuns = /[a-z0-9]+/g;

/** Matches thousands separators, so that 3,650 is the same number as 3650. */
const thousandsSeparator = /(?<=\d)[,.'’\u00a0\u202f](?=\d{3}(?!\d))/gu;

/** Matches the Thai and Lao vowel `am` as NFKC and some PDFs write it: in two characters, which the dictionary does not know. */
const splitVowels = /([\u0e4d\u0ecd])([\u0e48-\u0e4b\u0ec8-\u0ecb]?)[\u0e32\u0eb2]/gu;

const joinVowels = (run: string): string =>
  run.replaceAll(splitVowels, (_, sign, tone) => `${tone}${sign === '\u0e4d' ? '\u0e33' : '\u0eb3'}`);

const dictionary = new Intl.Segmenter('th', { granularity: 'word' });

function* toPairs(run: string): Generator<string> {
  const characters = [...run];
  if (characters.length === 1) yield run;
  for (let i = 1; i < characters.length; i++) yield `${characters[i - 1]}${characters[i]}`;
}

/**
 * Splits a text or query into words in normalized form: NFKC, lower case, numbers without thousands separators. Chinese, Japanese and
 * Korean become pairs of neighbouring characters, because segmenters disagree on words. Thai, Lao, Khmer and Burmese are split by the
 * platform's dictionary. Keeps accents, which the common words have too.
 */
export function splitWords(text: string, rules: WordRules = 'general'): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(thousandsSeparator, '');
  const ascii = Buffer.byteLength(plain) === plain.length;
  if (ascii) return plain.match(latinRuns)?.map((word) => word.slice(0, maxWordLength)) ?? [];
  const words: string[] = [];
  for (const { 0: run, groups } of plain.matchAll(wordRuns)) {
    if (groups?.pairs) for (const pair of toPairs(run)) words.push(pair);
    else if (groups?.dictionary) {
      const joined = rules === 'english' ? run : joinVowels(run);
      for (const { segment } of dictionary.segment(joined)) words.push(segment.slice(0, maxWordLength));
    } else words.push(run.slice(0, maxWordLength));
  }
  return words;
}
