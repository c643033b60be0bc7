import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pollDelay } from '../../../console/src/knowledge/poll-delay.ts';

it('asks ever less often, and never stops', () => {
  expect(pollDelay(0)).toBe(1000);
  // A clock that is behind the service's.
  expect(pollDelay(-5000)).toBe(1000);
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 8 }), fc.nat({ max: 10 ** 8 }), (one, more) => {
      expect(pollDelay(one + more)).toBeGreaterThanOrEqual(pollDelay(one));
    }),
  );
});
