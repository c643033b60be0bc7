import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAtDifference } from '../../../console/src/assistants/conflict/text-difference.ts';

test('finds the part that differs', () => {
  expect(splitAtDifference('You answer calls.', 'You answer the calls.')).toEqual({
    before: 'You answer ',
    one: '',
    other: 'the ',
    after: 'calls.',
  });
});

test('finds nothing in equal texts, and counts no letter twice', () => {
  expect(splitAtDifference('aa', 'aa')).toEqual({ before: 'aa', one: '', other: '', after: '' });
  expect(splitAtDifference('aa', 'aaa')).toEqual({ before: 'aa', one: '', other: 'a', after: '' });
});

test('loses nothing, and splits no character', () => {
  const unit = fc.constantFrom('a', 'b', '😀', '😁', '🀀');
  const anyText = fc.array(unit).map((units) => units.join(''));
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const { before, one, other, after } = splitAtDifference(a, b);
      expect([before + one + after, before + other + after]).toEqual([a, b]);
      for (const piece of [before, one, other, after]) expect(piece.isWellFormed()).toBe(true);
    }),
  );
});
