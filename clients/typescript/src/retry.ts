import { ApiError } from './api-error.ts';

/** Default number of retries. */
export const maxRetries = 3;
/** Longest wait that is worth retrying silently, in seconds. Beyond it, the caller sees the error. */
const maxDelayS = 10;

/** True if the same request may succeed later: no response, too many requests, or a server error. */
const isRetryable = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * True if a request that may be repeated should be, after this many failures. If the API asks for a long wait, the caller sees the error
 * and decides.
 */
export const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < maxRetries && isRetryable(error) && ((error as ApiError).retryAfter ?? 0) <= maxDelayS;

/**
 * Returns the milliseconds before the next attempt: `Retry-After`, at most ten seconds, or else one, two, four seconds.
 */
export function getRetryDelayMs(failures: number, error: unknown): number {
  const requestedS = error instanceof ApiError ? error.retryAfter : undefined;
  return Math.min(requestedS ?? 2 ** failures, maxDelayS) * 1000;
}
