import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clock, secondsIn, span } from '../../../console/src/calls/clock.ts';

it.each([
  [0, '0:00'],
  [7.9, '0:07'],
  [723, '12:03'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('%f seconds are %s', (seconds, words) => {
  expect(clock(seconds)).toBe(words);
});

it.each([
  ['75', 75],
  [' 1:15 ', 75],
  ['1:02:03', 3723],
  ['90:00', 5400],
  ['2.5', 2.5],
  ['', undefined],
  ['soon', undefined],
  ['1:', undefined],
  ['1:2:3:4', undefined],
])('%j means %s', (typed, seconds) => {
  expect(secondsIn(typed)).toBe(seconds);
});

it('reads what it writes', () => {
  fc.assert(fc.property(fc.nat({ max: 359_999 }), (seconds) => secondsIn(clock(seconds)) === seconds));
});

it.each([
  [0.412, '0.4 s'],
  [12.4, '12 s'],
  [150, '3 min'],
])('%f seconds are a span of %s', (seconds, words) => {
  expect(span(seconds)).toBe(words);
});
