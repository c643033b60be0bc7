/**
 * Cost counters of the current request or task. A function process handles one event at a time, so one meter is enough.
 */
export const meter = {
  /** Number of AWS calls, without the SDK's retries. */
  roundTrips: 0,
  /** Capacity units, as reported by DynamoDB. */
  readUnits: 0,
  writeUnits: 0,
  /** KMS requests and S3 PUTs and GETs: the round trips that AWS bills per request. */
  keyRequests: 0,
  filesStored: 0,
  filesRead: 0,
};

export function resetMeter(): void {
  meter.roundTrips = 0;
  meter.readUnits = 0;
  meter.writeUnits = 0;
  meter.keyRequests = 0;
  meter.filesStored = 0;
  meter.filesRead = 0;
}
