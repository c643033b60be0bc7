import { expect, test } from 'vitest';
import { formatRelativeHour, formatRelativeTime } from '../../../console/src/ui/text/relative-time.ts';

const now = new Date('2026-11-21T12:00:00Z');
const formatAgo = (seconds: number) => formatRelativeTime(new Date(now.getTime() - seconds * 1000), now);

test.each([
  [0, 'now'],
  [59, 'now'],
  [-3, 'now'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [7200, '2 hours ago'],
  [86_400, 'yesterday'],
  [-3600, 'in 1 hour'],
  [6 * 86_400, '6 days ago'],
  [7 * 86_400, '14 Nov 2026'],
])('formats %i seconds ago as "%s"', (seconds, words) => {
  expect(formatAgo(seconds)).toBe(words);
});

test.each([
  ['2026-11-21T12:00:00Z', 'within the last hour'],
  ['2026-11-21T11:00:00Z', '1 hour ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
])('formats the hour from %s as "%s"', (hour, words) => {
  expect(formatRelativeHour(new Date(hour), new Date('2026-11-21T12:51:00Z'))).toBe(words);
});
