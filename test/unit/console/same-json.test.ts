import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameJson } from '../../../console/src/assistants/same-json.ts';

const anyJson = fc.jsonValue({ maxDepth: 3 });

it('holds of a value and its copy, in whatever order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anyJson), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(sameJson(value, turned)).toBe(true);
    }),
  );
});

it.each([
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
])('tells %j from %j', (one, other) => {
  expect(sameJson(one, other)).toBe(false);
  expect(sameJson(other, one)).toBe(false);
});
