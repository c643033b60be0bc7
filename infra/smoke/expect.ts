import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';

/** How long an index of DynamoDB may take to learn of a write, in milliseconds. It is usually there within a second. */
const patienceMs = 10_000;

/** An answer in an envelope. */
export interface Data<T> {
  data: T;
}

/** Throws Problem, with what should be, where it is not so. */
export function expect(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Problem(sentence);
}

/** Looks again until it is so. Throws Problem, with what should be, where it is not in time. */
export async function eventually(sentence: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    expect(performance.now() < deadline, sentence);
    await sleep(250);
  }
}

export const has = (list: { id: string }[], id: string): boolean => list.some((one) => one.id === id);
