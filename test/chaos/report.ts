import { writeResult } from '../../bench/result.ts';
import { settings } from './settings.ts';

/** Result of a run: the number of cases and the failures, one sentence each. */
export interface Report {
  what: 'faults' | 'races' | 'webhooks';
  cases: number;
  failures: string[];
  /** Number of injections of each fault. */
  faults?: Record<string, number>;
  seed?: string;
  /** Numbers of rows and files at the end, and of files that are left over by design. */
  left?: { rows: number; files: number; leftovers: number } | undefined;
}

const descriptions = {
  faults: {
    what: 'Faults in requests to AWS, then a check of all data',
    command: 'npm run chaos',
  },
  races: { what: 'Concurrent requests to the same resources', command: 'npm run chaos -- --races' },
  webhooks: {
    what: 'Deliveries to 20 webhooks whose receivers fail, by functions and a host that are killed',
    command: 'npm run chaos -- --webhooks',
  },
};

/** Writes the report of a run to the file of `CHAOS_JSON`, if set. */
export const writeReport = ({ what, failures, seed, faults, left, ...rest }: Report): void =>
  writeResult(settings.json, {
    ...descriptions[what],
    ...rest,
    failures: failures.length,
    ...(seed && { seed }),
    detail: { ...faults, ...left },
  });
