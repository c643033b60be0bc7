import { createContext, Script } from 'node:vm';

const context: { run?: () => unknown } = {};
const script = new Script('run()');

/** Runs a function, and ends it after some milliseconds, wherever it is. */
export function runBounded<T>(ms: number, run: () => T): T {
  context.run = run;
  try {
    return script.runInContext(createContext(context), { timeout: Math.max(1, Math.ceil(ms)) }) as T;
  } finally {
    delete context.run; // it holds values of a user
  }
}

/** Returns true for the error of a function that was ended. */
export const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
