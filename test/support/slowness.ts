import { availableParallelism } from 'node:os';

/** Work for the measurement, in milliseconds of a processor. */
const workMs = 200;

/**
 * Returns how many times longer than on an idle machine a test may take: the wall-clock time of some work, over the processor
 * time that it needs. Idle is 1; with six busy processes on two cores it is about 3.
 */
export function measureSlowness(): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < workMs * 1000);
  return Math.max(1, (performance.now() - startedAt) / workMs);
}

/** Test files that run at once. Much of its time a test waits: for functions, which are processes of their own, or a browser. */
export const workers = 2 * availableParallelism() + 1;
