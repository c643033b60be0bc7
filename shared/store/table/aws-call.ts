import { Unavailable } from '../../errors.ts';
import { meter } from '../../telemetry/meter.ts';

/** Names of errors that AWS blames on the client, but that are transient. */
const transientError = /Throttl|LimitExceeded|ThroughputExceeded|InProgress/;

export const isTransient = (name: string | undefined): boolean => name !== undefined && transientError.test(name);

/**
 * True if AWS rejected the request as wrong, which is our bug. All other errors are taken for transient failures of
 * AWS.
 */
const isOurFault = (error: unknown) =>
  error instanceof Error && '$fault' in error && error.$fault === 'client' && !isTransient(error.name);

/** Runs one AWS call, with the retries of the SDK. Throws Unavailable if AWS fails, throttles or cannot be reached. */
export async function tryAwsCall<T>(request: () => Promise<T>): Promise<T> {
  meter.roundTrips += 1;
  try {
    return await request();
  } catch (cause) {
    throw isOurFault(cause) ? cause : new Unavailable({ cause });
  }
}

/**
 * Retries and timeouts of SDK clients. Two calls that fail three times each fit into the function's timeout; more may
 * not.
 */
export const clientOptions = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};
