import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { foldAccents } from '../domain/fold.ts';
import { detectLanguage } from './common-words.ts';

/**
 * How an index turns words into terms. An index stores the position in this list: append only, and never change what one does.
 * `english` is that of version 1 of the index: English endings in all languages. The others differ in Latin script only.
 */
export const wordRules = ['english', 'general', 'romance', 'turkish', 'vietnamese'] as const;

export type WordRules = (typeof wordRules)[number];

const rulesByLanguage: Record<string, WordRules> = {
  fr: 'romance',
  es: 'romance',
  it: 'romance',
  pt: 'romance',
  ro: 'romance',
  tr: 'turkish',
  vi: 'vietnamese',
};

/** Returns the rules for a text with these words. */
export const chooseRules = (words: readonly string[]): WordRules =>
  rulesByLanguage[detectLanguage(words) ?? ''] ?? 'general';

/** Returns a function that removes the longest of some endings, and keeps a number of letters at least. */
function removeEndings(endings: string, minLength: number): (word: string) => string {
  const longestFirst = endings.split(' ').sort((one, other) => other.length - one.length);
  return (word) => {
    const found = longestFirst.find((ending) => word.length - ending.length >= minLength && word.endsWith(ending));
    return found === undefined ? word : word.slice(0, -found.length);
  };
}

const stemGreek = removeEndings(
  'α ας ες ος ου ο ω ων η ης ι οι ους ον ε ει εις ουν ετε ουμε ομαι εται ονται ατα ατος ατων μα ματος ματα ματων ια ιας ιες ιων ιο ιου ιους ιοι ιος ικος ικη ικο ικου ικης ικοι ικες ικα ικων ικους εας εων εως ση σης σεις σεων σεως σει θηκε θηκαν ηκε ηκαν σαν ησε ησαν ουσε ουσαν ωντας οντας νται ηση ησης ησεις ησεων εια ειας ειες ειων ισμος ισμου ισμο ισμοι ισμων μενος μενη μενο μενου μενης μενα μενοι μενες μενων υς υ αν',
  3,
);

const stemHindi = removeEndings(
  'ो े ू ु ी ि ा कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां ाएँ',
  2,
);

const removeArabicEndings = removeEndings('ها هم هن ان ات ون ين يه ية وا ه ة ي ا', 3);
const arabicPrefixes = /^(?:وبال|وال|بال|كال|فال|ولل|ال|لل|[وبل])(?=.{3})/u;

const stemArabic = (word: string): string =>
  removeArabicEndings(word.replaceAll('ـ', '').replace('ٱ', 'ا').replaceAll('ى', 'ي').replace(arabicPrefixes, ''));

/** Number of letters of a term in languages with long endings. The next ones tell forms of a word apart more often than words. */
const shortLength = 6;

const shorten = (word: string, length = shortLength): string => [...word].slice(0, length).join('');

/** Removes the plural, which a short word keeps otherwise: `lits`, `menus`, `mesas`. */
const stemRomance = (word: string): string => shorten(word.length > 3 ? word.replace(/[sx]$/, '') : word);

/** Stems a word without accents by its script, or by the rules if it is Latin. */
function stem(word: string, rules: WordRules): string {
  if (rules === 'english' || /[0-9]/.test(word)) return stemEnglish(word); // codes differ in their last characters
  if (/^\p{Script=Cyrillic}/u.test(word)) return shorten(stemRussian(word.replaceAll('ё', 'е')));
  if (/^\p{Script=Greek}/u.test(word)) return shorten(stemGreek(word.replace(/σ$/, 'ς')));
  if (/^\p{Script=Arabic}/u.test(word)) return stemArabic(word);
  if (/^\p{Script=Devanagari}/u.test(word)) return stemHindi(word);
  if (rules === 'romance') return stemRomance(word);
  if (rules === 'turkish') return shorten(word.replaceAll('ı', 'i'), 5);
  if (rules === 'vietnamese') return word.replaceAll('đ', 'd');
  return stemEnglish(word);
}

/** Returns the term of a word: stemmed and without accents, since callers often leave them out. See decision 0007. */
export function toTerm(word: string, rules: WordRules = 'general'): string {
  const plain = foldAccents(word);
  return stem(plain, rules) || plain;
}

/**
 * Returns the terms of a word, the most specific one first. A Vietnamese word also has a term with its accents, which tell words apart.
 * They follow the letters, because some put them on another vowel (`hòa`, `hoà`). Any other word has one term.
 */
export function toTerms(word: string, rules: WordRules): string[] {
  const term = toTerm(word, rules);
  if (rules !== 'vietnamese') return [term];
  const accents = word.normalize('NFD').match(/[\p{M}đ]/gu) ?? [];
  return accents.length > 0 ? [`~${term}${accents.sort().join('')}`, term] : [term];
}
