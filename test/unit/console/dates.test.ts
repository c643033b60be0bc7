import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatDate, formatDay, formatMoment, formatShortDate, formatTime } from '../../../console/src/ui/dates.ts';

it('writes day, month and year in the same way, with a weekday or a time where one is needed', () => {
  const at = new Date('2026-11-01T12:05:07Z');
  expect(formatShortDate(at)).toBe('1 Nov');
  expect(formatDate(at)).toBe('1 Nov 2026');
  expect(formatDay(at)).toBe('Sun, 1 Nov 2026');
  expect(formatTime(at)).toMatch(/^\d\d:05$/);
  expect(formatMoment(at)).toMatch(/^Sun, 1 Nov 2026, \d\d:05:07 \S+$/);
});

it('is the only module of the console that formats dates to be read', () => {
  const isFormatting = (file: string) => /DateTimeFormat|toLocale(Date|Time)String/.test(readFileSync(file, 'utf8'));
  // calls/days.ts formats the keys by which it groups.
  expect(globSync('console/src/**/*.{ts,tsx}').filter(isFormatting).sort()).toEqual([
    'console/src/calls/days.ts',
    'console/src/ui/dates.ts',
  ]);
});
