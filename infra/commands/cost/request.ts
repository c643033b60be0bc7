import { fullCoreMb } from '../../../shared/route.ts';
import type { MeasuredRequest } from './measured.ts';
import type { Usage } from './prices.ts';

/** Assumptions about what cannot be measured locally. Every bill prints them. */
export const assumptions = {
  /** Computation of a request on a full core, and for each of its round trips. `npm run bench` measures 1 to 20 ms in all. */
  computeMs: 5,
  computeMsPerTrip: 4,
  /** Duration of a round trip from a function to a service of its region. */
  tripMs: 5,
  /** Functions with less memory compute proportionally slower. */
  processorMb: fullCoreMb,
  /** Requests per cold start. Its initialization is billed as well. */
  requestsPerColdStart: 100,
  coldStartMs: 500,
  /** Headers of a response. */
  headerBytes: 600,
  /** Bytes that CloudWatch adds to the two log lines of a request. */
  logOverheadBytes: 52,
};

export const gigabyte = 1e9;

/** Estimates the billed duration of a request, in milliseconds, as if no round trips were concurrent. */
export const estimateBusyMs = ({ round_trips }: MeasuredRequest, memoryMb: number): number =>
  (assumptions.computeMs + round_trips * assumptions.computeMsPerTrip) *
    Math.max(1, assumptions.processorMb / memoryMb) +
  round_trips * assumptions.tripMs +
  assumptions.coldStartMs / assumptions.requestsPerColdStart;

/** Returns the usage of one request, given its function's memory. */
export function toUsage(request: MeasuredRequest, memoryMb: number): Usage {
  return {
    gatewayRequest: 1,
    lambdaRequest: 1,
    lambdaGbSecond: (estimateBusyMs(request, memoryMb) / 1000) * (memoryMb / 1024),
    readUnit: request.read_units,
    writeUnit: request.write_units,
    keyRequest: request.key_requests,
    fileStored: request.files_stored,
    fileRead: request.files_read,
    event: request.files_stored, // the bucket sends each new file to EventBridge
    logGigabyte: (request.log_bytes + assumptions.logOverheadBytes) / gigabyte,
    gigabyteOut: (request.answer_bytes + assumptions.headerBytes) / gigabyte,
  };
}
