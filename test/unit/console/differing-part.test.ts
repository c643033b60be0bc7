import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { differingPart } from '../../../console/src/assistants/differing-part.ts';

it('is what two texts do not have in common', () => {
  expect(differingPart('You answer calls.', 'You answer the calls.')).toEqual({
    before: 'You answer ',
    one: '',
    other: 'the ',
    after: 'calls.',
  });
});

it('is nothing of the same texts, and never counts a letter twice', () => {
  expect(differingPart('aa', 'aa')).toEqual({ before: 'aa', one: '', other: '', after: '' });
  expect(differingPart('aa', 'aaa')).toEqual({ before: 'aa', one: '', other: 'a', after: '' });
});

it('puts both texts together again, and cuts no character in two', () => {
  const unit = fc.constantFrom('a', 'b', '😀', '😁', '🀀');
  const anyText = fc.array(unit).map((units) => units.join(''));
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const { before, one, other, after } = differingPart(a, b);
      expect([before + one + after, before + other + after]).toEqual([a, b]);
      for (const piece of [before, one, other, after]) expect(piece.isWellFormed()).toBe(true);
    }),
  );
});
