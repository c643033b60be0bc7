import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Spread } from './spread.ts';

const file = join(import.meta.dirname, '../recorded.json');

/** Returns the ratios that `npm run bench` measured last. */
export const readRecorded = (): Record<string, Spread> => JSON.parse(readFileSync(file, 'utf8')).ratios;

/** Saves ratios with a description of the conditions. */
export function writeRecorded(measuredOn: string, ratios: Record<string, Spread>): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);
  writeFileSync(file, `${JSON.stringify({ measuredOn, ratios }, round, 2)}\n`);
}
