import { expect, it } from 'vitest';
import { nextCursor } from '../../../console/src/api/pages.ts';

const after = (link: string) => nextCursor(new Headers({ link }));

it('reads the cursor of the next page, whatever stands beside it', () => {
  expect(after('<?cursor=abc%3D&limit=50>; rel="next"')).toBe('abc=');
  expect(after('<?a=1>; rel="prev", <?limit=2&cursor=x>; title="b"; rel=next')).toBe('x');
});

it('knows the last page', () => {
  expect(nextCursor(new Headers())).toBeUndefined();
  expect(after('<?cursor=abc>; rel="prev"')).toBeUndefined();
  expect(after('nonsense')).toBeUndefined();
});
