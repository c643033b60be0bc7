import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { settings } from './settings.ts';

/** What a run has tried, and what was wrong, a sentence each. */
export interface Report {
  what: 'faults' | 'races';
  cases: number;
  failures: string[];
  /** How often each fault was injected. */
  faults?: Record<string, number>;
  seed?: string;
  /** What was in the table and the bucket at the end, and how many files are left over by design. */
  left?: { rows: number; files: number; leftovers: number } | undefined;
}

/** Writes the report of a run, where one is asked for. */
export function write(report: Report): void {
  if (!settings.json) return;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(settings.json, `${JSON.stringify({ ...report, date: new Date().toISOString(), commit }, null, 2)}\n`);
}
