import { Conflict } from '../../errors.ts';
import type { Row } from './table.ts';

/** Thrown if another request has changed the row since it was read. `stored` is its current state, if known. */
export class Outdated extends Error {
  readonly stored: Row | undefined;
  constructor(stored?: Row) {
    super('Outdated');
    this.stored = stored;
  }
}

/** Runs `attempt` up to five times while it throws Outdated, then throws Conflict with `conflictMessage`. */
export async function retryOnConflict<T>(attempt: () => Promise<T>, conflictMessage: string): Promise<T> {
  for (let tries = 0; tries < 5; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
  throw new Conflict(['service'], conflictMessage, 1);
}
