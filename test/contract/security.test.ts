import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const listTests = (text: string) => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);

test('docs/security.md names existing tests only', () => {
  expect(listTests(readFileSync('docs/security.md', 'utf8')).filter((file) => !existsSync(file))).toEqual([]);
});

test('docs/security.md lists ten risks, each with tests', () => {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| API\d+ /.test(line));
  expect(rows).toHaveLength(10);
  for (const row of rows) expect(listTests(row).length, row).toBeGreaterThan(0);
});
