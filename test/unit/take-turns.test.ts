import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeTurns } from '../../shared/domain/take-turns.ts';

test('a long group keeps no other waiting', () => {
  expect([...takeTurns([['a1', 'a2', 'a3'], ['b1'], [], ['c1', 'c2']])]).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('all items are taken once, in the order of their group', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat())), (groups) => {
      const named = groups.map((group, g) => group.map((_, i) => [g, i] as const));
      const taken = [...takeTurns<readonly [number, number]>(named)];
      expect(taken.toSorted(([a, i], [b, k]) => a - b || i - k)).toEqual(named.flat());
      for (const [at, [, i]] of taken.entries())
        expect(taken.slice(0, at).every(([, before]) => before <= i)).toBe(true);
    }),
  );
});
