import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/routes/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()];

/** A page without its code, in which brackets are no links. */
const prose = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '');

/** What the links of a page point to inside the project. */
const linksIn = (text: string) =>
  [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z][a-z+.-]*:|#)/i.test(target));

/** The scripts that a page has its reader run, with flags of npm's own between `run` and the name. */
const scriptsIn = (text: string) => [
  ...[...text.matchAll(/\bnpm (?:run|run-script) (?:-\S+ )*([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
];

test('links and scripts are found, and told from code and other sites', () => {
  const text =
    'See [a](b.md#c), [d]( ./e), ![f](g.png), [h](https://i.j), [k](#l), `[m](n)`.\n```\n[o](p)\n```\n[q](r)';
  expect(linksIn(text)).toEqual(['b.md#c', './e', 'g.png', 'r']);
  expect(scriptsIn('`npm run -s token -- --sub x`, npm run size; A=1 npm test -- y')).toEqual([
    'token',
    'size',
    'test',
  ]);
});

describe('the README', () => {
  test("has the routes' own table, in the order of docs/openapi.json", () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const order = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    const rows = routes
      .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
      .map(({ id, method, path, summary }) => `| \`${id}\` | ${method} | \`${path}\` | ${summary} |`);
    const table = ['| Route | Method | Path | What it does |', '|---|---|---|---|', ...rows, ''].join('\n');
    expect(order).toHaveLength(routes.length);
    expect(read('README.md')).toContain(`\n\n${table}\n`);
  });

  test('tells no price that docs/costs.md does not', () => {
    const prices = read('README.md').match(/(?<=\$)[\d.,]*\d|(?<=\| )[\d,]+\.\d\d(?= \|)/g) ?? [];
    expect(prices.length).toBeGreaterThan(5);
    expect(prices.filter((dollars) => !new RegExp(`\\b${dollars}(\\.00)?\\b`).test(read('docs/costs.md')))).toEqual([]);
  });

  test('fits on two screens', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(120);
  });
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('links to files that are there', () => {
    const missing = linksIn(text).filter(
      (target) => !existsSync(join(root, dirname(page), decodeURIComponent(target.replace(/[?#].*$/, '')))),
    );
    expect(missing).toEqual([]);
  });

  test('installs the CDK of this project before it has npx run it: npm has another package of that name', () => {
    for (const [block] of text.matchAll(/```sh\n[\s\S]*?```/g))
      if (block.includes('npx cdk bootstrap')) expect(block).toMatch(/npm ci[\s\S]*npx cdk bootstrap/);
  });

  test('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(scriptsIn(text).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
