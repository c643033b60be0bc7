import { availableParallelism } from 'node:os';

/** Processor time that the measurement uses, in milliseconds. */
const workMs = 200;

/**
 * Returns the slowdown of tests by the machine's load: the wall-clock time of some work, divided by its processor time. It is 1 on an
 * idle machine, and about 3 with six busy processes on two cores.
 */
export function measureSlowness(): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < workMs * 1000);
  return Math.max(1, (performance.now() - startedAt) / workMs);
}

/** Number of test files that run in parallel. It exceeds the cores, because tests mostly wait for function processes and browsers. */
export const workers = 2 * availableParallelism() + 1;
