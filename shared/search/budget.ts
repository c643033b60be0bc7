/** Steps that are left. A step takes about a nanosecond on one core. */
export interface Steps {
  steps: number;
}

/** Budget of a search: the steps of all its work together, and the limits of three kinds of it. */
export interface Budget extends Steps {
  /** Number of terms that may be compared in their ends with unknown words. */
  endings: number;
  /** Number of terms that may be compared in spelling with unknown words. */
  comparisons: number;
  /** Postings that may be read. */
  postings: number;
}

/** Steps of each kind of work, measured with the documents that take longest. */
export const costs = {
  /** Finding a word or prefix in one index. */
  lookup: 1_500,
  /** Comparing the end of a term, up to the first byte that differs. */
  ending: 8,
  /** Comparing another byte of it. */
  byte: 2,
  /** Skipping a byte of a long term, to its end. Those of short terms are in the processor's cache by then. */
  skippedByte: 0.7,
  /** Comparing the spelling of a term, without its letters. */
  spelling: 100,
  /** Comparing a letter of it. */
  letter: 7,
  /** Comparing a letter of a long term. */
  longLetter: 20,
  /** Decoding a byte of it. */
  decodedByte: 2,
  /** Choosing a term as a substitute. */
  substitute: 200,
  /** Opening the postings of a term. */
  list: 500,
  posting: 25,
  /** Ranking a passage, whether or not it matches. */
  passage: 20,
} as const;

/** Returns the budget of a search: about 0.15 s. Ordinary questions to 50 of the longest documents need less. */
export const createBudget = (): Budget => ({
  steps: 140_000_000,
  endings: 10_000_000,
  comparisons: 300_000,
  postings: 5_000_000,
});

/** Number of letters up to which spellings are compared fast: 32 of the longer one, which may have two more. */
const maxFastLetters = 30;

/** Returns the steps of comparing a term with a word of so many letters in spelling. */
export const countSpellingSteps = (letters: number): number =>
  costs.spelling + letters * (letters > maxFastLetters ? costs.longLetter : costs.letter);

/** Takes steps from a budget. Returns false, and takes none, if too few are left. */
export function spend(budget: Steps, steps: number): boolean {
  if (steps > budget.steps) return false;
  budget.steps -= steps;
  return true;
}
