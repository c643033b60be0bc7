import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Result of a command, for the table in docs/reliability.md. */
export interface Result {
  /** Short description of the test. */
  what: string;
  /** Command that repeats it. */
  command: string;
  /** Number of inputs, injected faults, races or requests. */
  cases: number;
  /** Number of cases that failed. */
  failures: number;
  seed?: number | string;
  /** Further figures. */
  detail?: object;
}

/** Result with its date and commit. */
export type RecordedResult = Result & { date: string; commit: string };

/** Writes a result to a file, if one is given. */
export function writeResult<R extends Result>(file: string | undefined, result: R): void {
  if (!file) return;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const written: R & RecordedResult = { ...result, date: new Date().toISOString().slice(0, 10), commit };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
}
