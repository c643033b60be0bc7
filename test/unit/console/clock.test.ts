import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatClock, formatDuration, parseClock } from '../../../console/src/calls/clock.ts';

test.each([
  [0, '0:00'],
  [7.9, '0:07'],
  [723, '12:03'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('formats %f seconds as %s', (seconds, words) => {
  expect(formatClock(seconds)).toBe(words);
});

test.each([
  ['75', 75],
  [' 1:15 ', 75],
  ['1:02:03', 3723],
  ['90:00', 5400],
  ['2.5', 2.5],
  ['', undefined],
  ['soon', undefined],
  ['1:', undefined],
  ['1:2:3:4', undefined],
])('parses %j as %s seconds', (typed, seconds) => {
  expect(parseClock(typed)).toBe(seconds);
});

test('parses what it formats', () => {
  fc.assert(fc.property(fc.nat({ max: 359_999 }), (seconds) => parseClock(formatClock(seconds)) === seconds));
});

test.each([
  [0.412, '0.4 s'],
  [12.4, '12 s'],
  [150, '3 min'],
])('formats a duration of %f seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});
