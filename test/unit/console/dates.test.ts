import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatHour,
  formatShortDate,
  formatTime,
} from '../../../console/src/ui/text/dates.ts';

test('formats day, month and year consistently, with a weekday or a time where needed', () => {
  const at = new Date('2026-11-01T12:05:07Z');
  expect(formatShortDate(at)).toBe('1 Nov');
  expect(formatDate(at)).toBe('1 Nov 2026');
  expect(formatDay(at)).toBe('Sun, 1 Nov 2026');
  expect(formatTime(at)).toMatch(/^\d\d:05$/);
  expect(formatDateTime(at)).toMatch(/^Sun, 1 Nov 2026, \d\d:05:07 \S+$/);
  expect(formatHour(new Date('2026-11-01T12:00:00Z'))).toMatch(/^Sun, 1 Nov 2026, \d\d:00–\d\d:00$/);
});

test('formats all dates that users read in one module', () => {
  const isFormatting = (file: string) => /DateTimeFormat|toLocale(Date|Time)String/.test(readFileSync(file, 'utf8'));
  // calls/days.ts formats the keys for grouping.
  expect(globSync('console/src/**/*.{ts,tsx}').filter(isFormatting).sort()).toEqual([
    'console/src/calls/days.ts',
    'console/src/ui/text/dates.ts',
  ]);
});
