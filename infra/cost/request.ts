import type { Measured } from './measured.ts';
import type { Usage } from './prices.ts';

/** What could not be measured here, and is assumed. Printed with every bill. */
export const assumed = {
  /** A round trip from a function to a service of its region. */
  tripMs: 5,
  /** Memory that comes with a whole processor. Below it, a function computes slower in proportion. */
  processorMb: 1_769,
  /** One request in so many starts its function, and the start is billed as well. */
  coldOneIn: 100,
  coldMs: 500,
  /** Headers of an answer. */
  headerBytes: 600,
  /** What CloudWatch adds to the two lines of a request. */
  logOverheadBytes: 52,
};

export const gigabyte = 1e9;

/**
 * How long a request keeps its function busy, in milliseconds. More than the truth: what was measured contains the waiting
 * for the services of this machine, and round trips are added up that are made side by side.
 */
export const busyMs = ({ duration_ms, round_trips }: Measured, memoryMb: number): number =>
  duration_ms * Math.max(1, assumed.processorMb / memoryMb) +
  round_trips * assumed.tripMs +
  assumed.coldMs / assumed.coldOneIn;

/** What one request is billed by. `memoryMb` is that of its function. */
export function usageOf(request: Measured, memoryMb: number): Usage {
  return {
    gatewayRequest: 1,
    lambdaRequest: 1,
    lambdaSecond: (busyMs(request, memoryMb) / 1000) * (memoryMb / 1024),
    readUnit: request.read_units,
    writeUnit: request.write_units,
    keyRequest: request.key_requests,
    fileStored: request.files_stored,
    fileRead: request.files_read,
    event: request.files_stored, // the bucket tells EventBridge of every file
    logGigabyte: (request.log_bytes + assumed.logOverheadBytes) / gigabyte,
    gigabyteOut: (request.answer_bytes + assumed.headerBytes) / gigabyte,
  };
}
