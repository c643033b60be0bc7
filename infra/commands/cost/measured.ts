import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

const file = join(import.meta.dirname, 'measured.csv');

/** Units of a request that AWS bills, which do not depend on the machine. A test compares them with the file. */
export interface MeasuredUnits {
  route: string;
  case: string;
  round_trips: number;
  read_units: number;
  write_units: number;
  key_requests: number;
  files_stored: number;
  files_read: number;
}

/** Measurements of one request, taken once on the local host. None of them is a time, which would depend on the machine. */
export interface MeasuredRequest extends MeasuredUnits {
  answer_bytes: number;
  /** Log lines of the function and the gateway. */
  log_bytes: number;
}

/** Returns the units without the other measurements. */
export const toUnits = ({ answer_bytes, log_bytes, ...units }: MeasuredRequest): MeasuredUnits => units;

/** Returns the latest measurements of every request in `test/api/costs.test.ts`. */
export const readMeasurements = (): MeasuredRequest[] =>
  Papa.parse<MeasuredRequest>(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true })
    .data;

/** Saves measurements. Requests whose units are the same keep their row, so that their prices stay the same. */
export function writeMeasurements(requests: MeasuredRequest[]): void {
  const toKey = (request: MeasuredRequest) => JSON.stringify(toUnits(request));
  const known = new Map(readMeasurements().map((request) => [toKey(request), request]));
  const rows = requests.map((request) => known.get(toKey(request)) ?? request);
  writeFileSync(file, `${Papa.unparse(rows, { newline: '\n' })}\n`);
}
