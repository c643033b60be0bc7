import { Unavailable } from '../errors.ts';
import { meter } from '../meter.ts';

/** Errors that a service of AWS calls the client's, and that pass by themselves. */
const passing = /Throttl|LimitExceeded|ThroughputExceeded|InProgress/;

export const passes = (name: string | undefined): boolean => name !== undefined && passing.test(name);

/** A request that a service refuses as wrong is a fault of ours; anything else that fails is its fault, and passes. */
const isOurFault = (error: unknown) =>
  error instanceof Error && '$fault' in error && error.$fault === 'client' && !passes(error.name);

/** Runs one request to a service of AWS, the SDK's repeats included. Throws Unavailable where it fails, throttles or is out of reach. */
export async function attempt<T>(request: () => Promise<T>): Promise<T> {
  meter.roundTrips += 1;
  try {
    return await request();
  } catch (cause) {
    throw isOurFault(cause) ? cause : new Unavailable({ cause });
  }
}

/** How long a client of the SDK tries. Two requests that fail three times each still end in the function's time; more may not. */
export const patience = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};
