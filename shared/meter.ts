/** What the current request has cost so far. One function process handles one request at a time, so one meter is enough. */
export const meter = {
  /** Requests to services of AWS, without the SDK's own repeats. */
  roundTrips: 0,
  /** Capacity units as DynamoDB reports them. */
  readUnits: 0,
  writeUnits: 0,
  /** Requests to KMS, and files stored in and read from S3: of the round trips those that are billed by number. */
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
