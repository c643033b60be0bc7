import { Problem, sentenceOf } from '../api/problem.ts';
import {
  addressFailure,
  adviceToWait,
  consoleFailure,
  failures,
  partFailure,
  serviceFailure,
} from '../strings/failures.ts';
import { PartMissing } from './part-missing.ts';

/** A failure in words. */
export interface Told {
  title: string;
  /** Empty where the details are enough. */
  advice: string;
  /** What exactly is wrong, a sentence each. */
  details: string[];
  /** Names it in the logs of the service. */
  requestId: string | undefined;
}

/** Puts any error into words: those of the service, those of the network, and the console's own. */
export function told(error: unknown): Told {
  if (error instanceof PartMissing) return { ...partFailure, details: [], requestId: undefined };
  if (!(error instanceof Problem)) return { ...consoleFailure, details: [String(error)], requestId: undefined };
  const { status, requestId, retryAfter } = error;
  const { title, advice } = failures[status] ?? serviceFailure;
  const details = error.faults.map(sentenceOf);
  // What is in the way of a change, and what to do then, the service says itself.
  if (status === 409 && details.length > 0) return { title, advice: '', details, requestId };
  return { title, advice: status === 429 && retryAfter ? adviceToWait(retryAfter) : advice, details, requestId };
}

/** Puts why something could not be read into words: nobody has filled in a form whose fields could be marked. */
export function toldOfRead(error: unknown): Told {
  const words = told(error);
  return error instanceof Problem && error.status === 422 ? { ...words, ...addressFailure } : words;
}
