import { writeResult } from '../../bench/result.ts';
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

const told = {
  faults: {
    what: 'Requests to AWS that go wrong, in every way, and then a look at all data',
    command: 'npm run chaos',
  },
  races: { what: 'Races of many clients on the same things', command: 'npm run chaos -- --races' },
};

/** Writes the report of a run, where one is asked for. */
export const write = ({ what, failures, seed, faults, left, ...rest }: Report): void =>
  writeResult(settings.json, {
    ...told[what],
    ...rest,
    failures: failures.length,
    ...(seed && { seed }),
    detail: { ...faults, ...left },
  });
