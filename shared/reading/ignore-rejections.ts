import { setImmediate } from 'node:timers/promises';

/** Does nothing: another promise reports the same failure, or it does not matter. */
const ignore = () => {};

let running = 0;
let otherListeners: NodeJS.UnhandledRejectionListener[] = [];

/**
 * Runs a function that leaves rejections unhandled, as pdf.js does with some damaged files. Node would exit, and so would Lambda's
 * runtime through its listener. Hides the unhandled rejections of all other code that runs at the same time.
 */
export async function ignoreRejections<T>(run: () => Promise<T>): Promise<T> {
  if (running++ === 0) {
    otherListeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', ignore);
  }
  try {
    return await run();
  } finally {
    await setImmediate(); // lets Node report the rejections of the last turn
    if (--running === 0) {
      process.off('unhandledRejection', ignore);
      for (const other of otherListeners) process.on('unhandledRejection', other);
    }
  }
}
