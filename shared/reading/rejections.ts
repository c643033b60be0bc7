import { setImmediate } from 'node:timers/promises';

/** Nothing needs to be done: what was left alone is told by another promise too, or is of no consequence. */
const ignore = () => {};

let running = 0;
let others: NodeJS.UnhandledRejectionListener[] = [];

/**
 * Runs what leaves rejected promises alone, as pdf.js does with some damaged files; Node, and Lambda's runtime by a
 * listener of its own, would end the process. Nothing else should run meanwhile whose faults must be heard of.
 */
export async function ignoringRejections<T>(run: () => Promise<T>): Promise<T> {
  if (running++ === 0) {
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', ignore);
  }
  try {
    return await run();
  } finally {
    await setImmediate(); // Node tells of those of the last turn first
    if (--running === 0) {
      process.off('unhandledRejection', ignore);
      for (const other of others) process.on('unhandledRejection', other);
    }
  }
}
