import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/routes/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()];

/** Removes code from a page. Brackets in code are not links. */
const removeCode = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '');

/** Returns the targets of a page's links to files of the project. */
const listLinks = (text: string) =>
  [...removeCode(text).matchAll(/\]\(\s*<?([^)\s>]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z][a-z+.-]*:|#)/i.test(target));

/** Returns the npm scripts that a page mentions. npm's own flags may come between `run` and the name. */
const listScripts = (text: string) => [
  ...[...text.matchAll(/\bnpm (?:run|run-script) (?:-\S+ )*([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  ...[...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name),
];

/** Returns the paths that a page appends to `$API`. */
const listApiPaths = (text: string) => [...text.matchAll(/\$\{?API\}?(\/[^\s"'`?]*)/g)].map(([, path = '']) => path);
/** Returns the values that a page assigns to `API`. */
const listApiAddresses = (text: string) => [...text.matchAll(/\bAPI=(\S+)/g)].map(([, address = '']) => address);

const isRoute = (path: string) =>
  routes.some((route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));

test('finds links and scripts, except in code and to other sites', () => {
  const text =
    'See [a](b.md#c), [d]( ./e), ![f](g.png), [h](https://i.j), [k](#l), `[m](n)`.\n```\n[o](p)\n```\n[q](r)';
  expect(listLinks(text)).toEqual(['b.md#c', './e', 'g.png', 'r']);
  expect(listScripts('`npm run -s token -- --sub x`, npm run size; A=1 npm test -- y')).toEqual([
    'token',
    'size',
    'test',
  ]);
});

test('the README fits on two screens', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(80);
});

test('the samples in CONTRIBUTING.md are copies of the files that they name', () => {
  const samples = [...read('CONTRIBUTING.md').matchAll(/^ *```ts\n([\s\S]*?)^ *```/gm)].map(
    ([, sample = '']) => sample,
  );
  expect(samples.length).toBeGreaterThan(2);
  for (const sample of samples) {
    const [, indent = '', file = '', code = ''] = /^( *)\/\/ (\S+)\n([\s\S]*)$/.exec(sample) ?? [];
    expect(read(file), file).toContain(code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  }
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('links to existing files', () => {
    const missing = listLinks(text).filter(
      (target) => !existsSync(join(root, dirname(page), decodeURIComponent(target.replace(/[?#].*$/, '')))),
    );
    expect(missing).toEqual([]);
  });

  test('runs npm ci before npx cdk, because npm has another package named cdk', () => {
    for (const [block] of text.matchAll(/```sh\n[\s\S]*?```/g))
      if (block.includes('npx cdk bootstrap')) expect(block).toMatch(/npm ci[\s\S]*npx cdk bootstrap/);
  });

  test('sets $API to the local host, and appends only paths of routes', () => {
    expect(listApiAddresses(text).filter((address) => address !== 'http://127.0.0.1:3000')).toEqual([]);
    expect(listApiPaths(text).filter((path) => !isRoute(path))).toEqual([]);
  });

  test('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(listScripts(text).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
