import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../terminal/user-error.ts';

/** Timeout for a write to reach a DynamoDB index, in milliseconds. It usually takes less than a second. */
const indexTimeoutMs = 10_000;

/** Response body with an envelope. */
export interface Envelope<T> {
  data: T;
}

/** Throws UserError with the sentence if the condition is false. */
export function expect(condition: boolean, sentence: string): void {
  if (!condition) throw new UserError(sentence);
}

/** Polls until the condition holds. Throws UserError with the sentence on timeout. */
export async function eventually(sentence: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + indexTimeoutMs;
  while (!(await condition())) {
    expect(performance.now() < deadline, sentence);
    await sleep(250);
  }
}

export const hasId = (list: { id: string }[], id: string): boolean => list.some((one) => one.id === id);
