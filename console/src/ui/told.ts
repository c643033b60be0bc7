import { Problem, sentenceOf } from '../api/problem.ts';
import { consoleFailure, failures, serviceFailure } from '../strings/failures.ts';

/** A failure in words. */
export interface Told {
  title: string;
  advice: string;
  /** What exactly is wrong, a sentence each. */
  details: string[];
  /** Names it in the logs of the service. */
  requestId: string | undefined;
}

/** Puts any error into words: those of the service, those of the network, and the console's own. */
export function told(error: unknown): Told {
  if (!(error instanceof Problem)) return { ...consoleFailure, details: [String(error)], requestId: undefined };
  const words = failures[error.status] ?? serviceFailure;
  return { ...words, details: error.faults.map(sentenceOf), requestId: error.requestId };
}
