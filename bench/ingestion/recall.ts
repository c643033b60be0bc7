import { quantile } from '../corpus.ts';

/** Characters of scripts without spaces between words count as words, since programs break such lines anywhere. */
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** Soft hyphens, and commas between the thousands of a number, are no part of a word. */
const gapInWord = /\u00ad|(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu;

/** Fractions, and numbers such as `1.5E+08`, but no versions or dates. */
const fraction = /(?<![\p{L}\p{N}.])\d+\.\d+(?:e[+-]?\d{1,2})?(?![\p{L}\p{N}]|\.\p{N})/giu;

/** Rounds a number to six digits, since programs show more or fewer. */
const round = (number: string) => String(Number(Number(number).toPrecision(6)));

/** Returns the distinct words of a text, in lower case. */
export const listWords = (text: string): Set<string> =>
  new Set(text.normalize('NFKC').replace(gapInWord, '').replace(fraction, round).toLowerCase().match(word) ?? []);

/** Comparison of our reader with the reference, for one file that the reference read. */
export interface Comparison {
  kind: string;
  name: string;
  isReady: boolean;
  hasWarnings: boolean;
  /** Share of the reference's words that our reader found; 0 if the file failed. */
  recall: number;
}

/** Recall below which a file should have a warning. */
export const silentRecall = 0.85;

/** Summary of the files of one kind. */
export interface KindSummary {
  kind: string;
  /** Number of files that the reference read. */
  files: number;
  ready: number;
  medianRecall: number;
  /** Recall that nine tenths of the files reach. */
  lowestTenth: number;
  /** Files with a low recall and without a warning. */
  silent: number;
}

export function summarizeKind(kind: string, files: Comparison[]): KindSummary {
  const recalls = files.map(({ recall }) => recall);
  return {
    kind,
    files: files.length,
    ready: files.filter(({ isReady }) => isReady).length,
    medianRecall: quantile(recalls, 0.5),
    lowestTenth: quantile(recalls, 0.1),
    silent: files.filter(({ isReady, hasWarnings, recall }) => isReady && !hasWarnings && recall < silentRecall).length,
  };
}
