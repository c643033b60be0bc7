import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileSize } from '../../../console/src/ui/file-size.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [4_194_304, '4.19 MB'],
  [50_000_000, '50 MB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [5e12, '5,000 GB'],
])('%i bytes are %s', (bytes, words) => {
  expect(fileSize(bytes)).toBe(words);
});

it('has at most three figures below a terabyte', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_000_000_000 }), (bytes) => {
      expect(fileSize(bytes)).toMatch(/^\d{1,3}(\.\d{1,2})? (B|KB|MB|GB)$/);
    }),
  );
});
