import { createContext, Script } from 'node:vm';

const context: { run?: () => unknown } = {};
const script = new Script('run()');

/** Time that is left for some work, in milliseconds. */
export interface TimeBudget {
  ms: number;
}

const timeoutCode = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Runs a function, takes its time from a budget, and ends it when none is left, wherever it is. Does not begin without any. */
export function runBounded<T>(budget: TimeBudget, run: () => T): T {
  if (budget.ms <= 0) throw Object.assign(new Error('No time is left'), { code: timeoutCode });
  const created = createContext(context);
  const startedAt = performance.now();
  context.run = run;
  try {
    return script.runInContext(created, { timeout: Math.ceil(budget.ms) }) as T;
  } finally {
    delete context.run; // it holds values of a user
    budget.ms -= performance.now() - startedAt;
  }
}

/** Returns true for the error of a function that was ended. */
export const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === timeoutCode;
