import { Problem } from '../problem.ts';

/** An answer in an envelope. */
export interface Data<T> {
  data: T;
}

/** Throws Problem, with what should be, where it is not so. */
export function expect(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Problem(sentence);
}

export const has = (list: { id: string }[], id: string): boolean => list.some((one) => one.id === id);
