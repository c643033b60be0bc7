import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFileSize } from '../../../console/src/ui/text/file-size.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [4_194_304, '4.19 MB'],
  [50_000_000, '50 MB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [5e12, '5,000 GB'],
])('formats %i bytes as %s', (bytes, words) => {
  expect(formatFileSize(bytes)).toBe(words);
});

test('shows at most three digits below a terabyte', () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_000_000_000 }), (bytes) => {
      expect(formatFileSize(bytes)).toMatch(/^\d{1,3}(\.\d{1,2})? (B|KB|MB|GB)$/);
    }),
  );
});
