import { expect, test } from 'vitest';
import { parseNextCursor } from '../../../clients/typescript/src/pagination.ts';

const parse = (link: string) => parseNextCursor(new Headers({ link }));

test('parses the cursor of the next page, among other links and parameters', () => {
  expect(parse('<?cursor=abc%3D&limit=50>; rel="next"')).toBe('abc=');
  expect(parse('<?a=1>; rel="prev", <?limit=2&cursor=x>; title="b"; rel=next')).toBe('x');
});

test('returns no cursor on the last page', () => {
  expect(parseNextCursor(new Headers())).toBeUndefined();
  expect(parse('<?cursor=abc>; rel="prev"')).toBeUndefined();
  expect(parse('nonsense')).toBeUndefined();
});
