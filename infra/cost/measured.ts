import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

const file = join(import.meta.dirname, 'measured.csv');

/** What AWS bills of a request whatever machine it ran on. A test holds the file to it. */
export interface Units {
  route: string;
  case: string;
  round_trips: number;
  read_units: number;
  write_units: number;
  key_requests: number;
  files_stored: number;
  files_read: number;
}

/** What a request took when it was measured: once, on the local host. */
export interface Measured extends Units {
  duration_ms: number;
  answer_bytes: number;
  /** Of the function's line and of the gateway's. */
  log_bytes: number;
}

/** The units alone. */
export const unitsOf = ({ duration_ms, answer_bytes, log_bytes, ...units }: Measured): Units => units;

/** Every request that `test/api/costs.test.ts` measures, as it was measured last. */
export const readMeasured = (): Measured[] =>
  Papa.parse<Measured>(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true }).data;

/** Keeps what has been measured. */
export const writeMeasured = (requests: Measured[]): void =>
  writeFileSync(file, `${Papa.unparse(requests, { newline: '\n' })}\n`);
