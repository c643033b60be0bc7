import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson } from '../../../console/src/assistants/draft/same-json.ts';

const anyJson = fc.jsonValue({ maxDepth: 3 });

test('accepts a copy with its keys in another order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anyJson), (value) => {
      const reordered = Object.fromEntries(Object.entries(value).reverse());
      expect(isSameJson(value, reordered)).toBe(true);
    }),
  );
});

test.each([
  [1, '1'],
  [null, undefined],
  [null, {}],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { b: 1 }],
  [{ a: undefined }, {}],
  [{ valueOf: 1 }, { valueOf: 2 }],
  [{ constructor: null }, {}],
])('distinguishes %j from %j', (one, other) => {
  expect(isSameJson(one, other)).toBe(false);
  expect(isSameJson(other, one)).toBe(false);
});
