import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonMistake } from '../../../console/src/assistants/draft/json-mistake.ts';

test.each([
  ['{\n  "a": 1,\n  b: 2\n}', 3, 3, 'name'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'comma'],
  ['{"a" 1}', 1, 6, 'colon'],
  ['{"a": }', 1, 7, 'value'],
  ['[1, 2,]', 1, 7, 'value'],
  ['{"a": 1,}', 1, 9, 'name'],
  ['{"a": [1}', 1, 9, 'comma'],
  ['{"a": "two\nlines"}', 1, 7, 'quote'],
  ['{"a": 1', 1, 8, 'comma'],
  ['{} {}', 1, 4, 'end'],
  ['', 1, 1, 'value'],
])('finds the position of the mistake in %j', (text, line, column, expected) => {
  expect(findJsonMistake(text)).toMatchObject({ line, column, expected });
});

test('finds a mistake only where JSON.parse does', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', ':', '0', '\n', ' ', '\\', 'e', '.', '-'))
    .map(([json, nat, put]) => {
      const at = nat % (json.length + 1);
      return json.slice(0, at) + put + json.slice(at + 1);
    });
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), damaged, fc.string()),
      (text) => (findJsonMistake(text) === undefined) === isJson(text),
    ),
    {
      numRuns: 2_000,
    },
  );
});
