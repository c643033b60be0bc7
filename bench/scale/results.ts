import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spread } from '../compare/spread.ts';
import { type Result, writeResult } from '../result.ts';
import type { RequestKind } from './requests.ts';

/** Cost of a request. */
export interface Measurement {
  round_trips: number;
  read_units: number;
  write_units: number;
  /** CPU time of the function. */
  microseconds: number;
  /** Resident memory after some calls. */
  memory_mb: number;
}

/** Cost of a request with 1, 10 and 100 times the data. */
export interface ScaledRequest {
  route: string;
  what: string;
  kind: RequestKind;
  page?: number;
  /** Cost by amount of data. `time` is the ratio of the CPU time to that with the least data, call by call. */
  at: (Measurement & { time: Spread })[];
}

/** Amount of data in the table. */
export interface DataAmount {
  times: number;
  users: number;
  /** Number of assistants of all users, and of the largest user. */
  assistants: { all: number; ofOne: number };
  sessions: { all: number; ofOne: number };
  rows: number;
}

export interface Scale {
  measuredOn: string;
  amounts: DataAmount[];
  requests: ScaledRequest[];
}

const file = join(import.meta.dirname, '../results/scale.json');

/** Returns the last results of `npm run bench:scale`. */
export const readScale = (): Scale => JSON.parse(readFileSync(file, 'utf8')).scale;

/** Saves the results, with a summary for docs/reliability.md. */
export function writeScale(result: Result, scale: Scale): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value);
  writeResult(file, { ...result, scale: JSON.parse(JSON.stringify(scale, round)) });
}

const formatUnits = ({ round_trips, read_units, write_units }: Measurement) =>
  JSON.stringify({ round_trips, read_units, write_units });

/** Returns a sentence for each request that takes more round trips or units with more data, but should not. */
export const listGrowing = (requests: ScaledRequest[]): string[] =>
  requests
    .filter(({ kind, at }) => kind !== 'whole' && new Set(at.map(formatUnits)).size > 1)
    .map(({ route, what, at }) => `${route}, ${what}, takes ${at.map(formatUnits).join(', then ')}`);
