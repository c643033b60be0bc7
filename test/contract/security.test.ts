import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';

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

/** Rows of the table of what a function that was broken into could do. */
const [, table = ''] = readFileSync('docs/security.md', 'utf8').split(/^\| Functions \|.*\n\|[-|]+\n/m);
const rows = table.split('\n\n', 1)[0]?.split('\n') ?? [];

/** Returns the names in backticks. */
const listNames = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Finds the row that names a function, or else all functions of its resource. */
const findRow = (id: string) =>
  [id, id.replace(/\/.*/, '/*')].flatMap(
    (name) => rows.find((row) => listNames(row.split('|')[1]).includes(name)) ?? [],
  )[0];

test('docs/security.md says for every function what it could do', () => {
  const ids = [...routes.map(({ id }) => id), ...nonRouteFunctions];
  expect(ids.filter((id) => !findRow(id))).toEqual([]);
});

test('docs/security.md names every function that decrypts secrets', () => {
  const decrypting = (routes as readonly Route[]).filter(({ needs }) =>
    Object.values(needs.secrets ?? {}).some((actions) => actions.includes('Decrypt')),
  );
  const isNamed = ({ id }: Route) => {
    const row = findRow(id) ?? '';
    return row.includes('decrypt') && listNames(row).some((name) => name === id || id.endsWith(`/${name}`));
  };
  expect(decrypting.filter((route) => !isNamed(route)).map(({ id }) => id)).toEqual([]);
});
