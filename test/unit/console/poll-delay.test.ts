import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getPollDelayMs } from '../../../console/src/knowledge/poll-delay.ts';

test('polls ever less often, but never stops', () => {
  expect(getPollDelayMs(0)).toBe(1000);
  // The clock is behind the API's.
  expect(getPollDelayMs(-5000)).toBe(1000);
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 8 }), fc.nat({ max: 10 ** 8 }), (one, more) => {
      expect(getPollDelayMs(one + more)).toBeGreaterThanOrEqual(getPollDelayMs(one));
    }),
  );
});
