import { expect, it } from 'vitest';
import { relativeTime } from '../../../console/src/ui/relative-time.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now);

it.each([
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
])('%i seconds ago is "%s"', (seconds, words) => {
  expect(ago(seconds)).toBe(words);
});
