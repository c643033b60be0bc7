import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const testsIn = (text: string) => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);

test('docs/security.md names no test that is not there', () => {
  expect(testsIn(readFileSync('docs/security.md', 'utf8')).filter((file) => !existsSync(file))).toEqual([]);
});

test('docs/security.md names ten risks, each with tests', () => {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| API\d+ /.test(line));
  expect(rows).toHaveLength(10);
  for (const row of rows) expect(testsIn(row).length, row).toBeGreaterThan(0);
});
