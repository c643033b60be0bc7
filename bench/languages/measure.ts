import { encodeIndex } from '../../shared/search/encode.ts';
import { openIndex } from '../../shared/search/open.ts';
import { splitPassages } from '../../shared/search/passages.ts';
import { search } from '../../shared/search/search.ts';
import { readData } from '../corpus.ts';

/** Question, and the number of the text that answers it. */
export interface Question {
  question: string;
  answer: number;
  isHeldOut: boolean;
}

/** Texts of one document in one language, with questions. */
export interface QuestionSet {
  texts: string[];
  questions: Question[];
}

/** Reads the sample of 13 languages, which was written for this project. Its texts say the same in each language. */
export const readSample = (): [language: string, set: QuestionSet][] =>
  Object.entries(readData('languages') as Record<string, { passages: string[]; questions: string[] }>).map(
    ([language, { passages: texts, questions }]) => [
      language,
      { texts, questions: questions.map((question, answer) => ({ question, answer, isHeldOut: false })) },
    ],
  );

const average = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Returns the mean reciprocal rank of the answers among the first ten texts, of the questions that are held out and of the others. */
export function measureRanks({ texts, questions }: QuestionSet): { tuned: number; heldOut: number } {
  const index = openIndex(encodeIndex(texts.flatMap((text, i) => splitPassages([{ number: i, text }]))));
  const rank = ({ question, answer }: Question) => {
    const found = new Set(search([index], question, 20).map(({ passage }) => passage.page));
    const place = [...found].slice(0, 10).indexOf(answer);
    return place < 0 ? 0 : 1 / (place + 1);
  };
  const rankAll = (isHeldOut: boolean) => average(questions.filter((one) => one.isHeldOut === isHeldOut).map(rank));
  return { tuned: rankAll(false), heldOut: rankAll(true) };
}
