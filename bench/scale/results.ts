import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spread } from '../compare/spread.ts';
import { type Result, writeResult } from '../result.ts';
import type { Kind } from './requests.ts';

/** What a request took. */
export interface Point {
  round_trips: number;
  read_units: number;
  write_units: number;
  /** Of the function's processor. */
  microseconds: number;
  /** Resident, in megabytes, after some calls. */
  memory_mb: number;
}

/** What a request took with so much data, and with ten and a hundred times as much. */
export interface Scaled {
  route: string;
  what: string;
  kind: Kind;
  page?: number;
  /** Each with how many times the processor it took that it took with the least data, call by call. */
  at: (Point & { time: Spread })[];
}

/** How much data there was. */
export interface Amount {
  times: number;
  users: number;
  /** Of all users together, and of the one who has most. */
  assistants: { all: number; ofOne: number };
  sessions: { all: number; ofOne: number };
  rows: number;
}

export interface Scale {
  measuredOn: string;
  amounts: Amount[];
  requests: Scaled[];
}

const file = join(import.meta.dirname, '../results/scale.json');

/** What `npm run bench:scale` measured last. */
export const readScale = (): Scale => JSON.parse(readFileSync(file, 'utf8')).scale;

/** Keeps what has been measured, and what a table says of it. */
export function writeScale(result: Result, scale: Scale): void {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
  writeResult(file, { ...result, scale: JSON.parse(JSON.stringify(scale, rounded)) });
}

const unitsOf = ({ round_trips, read_units, write_units }: Point) =>
  JSON.stringify({ round_trips, read_units, write_units });

/** What is not as it should be: a sentence for each request that takes more round trips or units where there is more data. */
export const growing = (requests: Scaled[]): string[] =>
  requests
    .filter(({ kind, at }) => kind !== 'whole' && new Set(at.map(unitsOf)).size > 1)
    .map(({ route, what, at }) => `${route}, ${what}, takes ${at.map(unitsOf).join(', then ')}`);
