import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('docs/security.md names ten risks, each with tests that are there', () => {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| API\d+ /.test(line));
  expect(rows).toHaveLength(10);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(tests.length, row).toBeGreaterThan(0);
    expect(tests.filter((file) => !existsSync(file))).toEqual([]);
  }
});
