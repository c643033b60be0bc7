import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a command tried, for the table in docs/reliability.md. */
export interface Result {
  /** The command's own name: `load`, `fuzz`, `chaos` … */
  what: string;
  /** Inputs tried, faults injected, races run, requests sent. */
  cases: number;
  /** Those that went wrong. */
  failures: number;
  seed?: number;
  /** What else is worth a line. */
  detail?: object;
}

/** Writes a result, with the day and the commit that it is of, where a file is named. */
export function writeResult(file: string | undefined, result: Result): void {
  if (!file) return;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ ...result, date: new Date().toISOString().slice(0, 10), commit }, null, 2)}\n`,
  );
}
