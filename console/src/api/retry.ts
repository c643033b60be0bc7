import { Problem } from './problem.ts';

const attempts = 3;
/** Seconds for which somebody looks at nothing before they would rather be told. */
const patience = 10;

/** Whether the same request may succeed later: no answer, too many requests, or the service's own fault. */
const mayPass = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * Whether a read is tried again after so many failures. Not where the service asks for a long wait: the person is told, and
 * decides. Writes never are: one may have done its work.
 */
export const retriesRead = (failures: number, error: unknown): boolean =>
  failures < attempts && mayPass(error) && ((error as Problem).retryAfter ?? 0) <= patience;

/** Milliseconds until the next attempt: what `Retry-After` says, at most ten seconds, else one second, two, four. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof Problem ? error.retryAfter : undefined;
  return Math.min(asked ?? 2 ** failures, patience) * 1000;
}
