import { Conflict } from '../errors.ts';
import type { Item } from './table.ts';

/** Another writer was faster; `stored` is what it left, where that is known. */
export class Outdated extends Error {
  readonly stored: Item | undefined;
  constructor(stored?: Item) {
    super('Outdated');
    this.stored = stored;
  }
}

/** Runs an attempt, again as often as it throws Outdated. Throws Conflict with `sorry` after five lost races. */
export async function settled<T>(attempt: () => Promise<T>, sorry: string): Promise<T> {
  for (let tries = 0; tries < 5; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
  throw new Conflict(['service'], sorry, 1);
}
