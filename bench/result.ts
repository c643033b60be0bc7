import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a command tried, for the table in docs/reliability.md. */
export interface Result {
  /** What was tried, in a few words. */
  what: string;
  /** Who would repeat it types this. */
  command: string;
  /** Inputs tried, faults injected, races run, requests sent. */
  cases: number;
  /** Those that went wrong. */
  failures: number;
  seed?: number | string;
  /** What else is worth a word. */
  detail?: object;
}

/** A result with the day and the commit that it is of. */
export type Written = Result & { date: string; commit: string };

/** Writes a result, with whatever else it has, where a file is named. */
export function writeResult<R extends Result>(file: string | undefined, result: R): void {
  if (!file) return;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const written: R & Written = { ...result, date: new Date().toISOString().slice(0, 10), commit };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
}
