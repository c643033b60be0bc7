import { Problem } from './problem.ts';

const attempts = 3;
const longestWait = 30;

/** Whether the same request may succeed later: no answer, too many requests, or the service's own fault. */
const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Whether a read is tried again after so many failures. Writes never are: one may have done its work. */
export const retriesRead = (failures: number, error: unknown): boolean => failures < attempts && mayPass(error);

/** Milliseconds until the next attempt: what `Retry-After` says, at most half a minute, else one second, two, four. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof Problem ? error.retryAfter : undefined;
  return Math.min(asked ?? 2 ** failures, longestWait) * 1000;
}
