import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noRoutes } from '../../infra/no-routes.ts';

const root = join(import.meta.dirname, '../..');

interface Import {
  /** The importing file and what it imports, both from the root of the project; a package by its name. */
  from: string;
  to: string;
  /** It is gone when the code runs. */
  typeOnly: boolean;
}

const statement = /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]/gm;
const bare = /(?:^\s*import\s*|\bimport\s*\(\s*|\brequire\s*\(\s*)['"]([^'"]+)['"]/gm;

/** What a source file imports, in every form that the language knows. `import { type T }` still loads its module. */
function importsOf(from: string, source: string): Import[] {
  const target = (specifier: string) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : specifier;
  return [
    ...[...source.matchAll(statement)].map(([, type, to = '']) => ({ from, to: target(to), typeOnly: !!type })),
    ...[...source.matchAll(bare)].map(([, to = '']) => ({ from, to: target(to), typeOnly: false })),
  ];
}

const files = ['shared', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]s$/.test(name))
    .map((name) => join(folder, name)),
);
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

const within = (...folders: string[]) =>
  imports.filter(({ from }) => folders.some((folder) => from.startsWith(folder)));
const sdk = /^(@aws-sdk|@smithy)\//;
const cdk = /^(aws-cdk-lib|constructs|cdk-nag)(\/|$)/;

/** Import statements as sentences, so that a failure names them. */
const told = (faulty: Import[]) => faulty.map(({ from, to }) => `${from} imports ${to}`);

/** Everything that a file loads when it runs, through whatever files. */
function loadedBy(file: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (from: string) => {
    for (const { to, typeOnly } of imports.filter((one) => one.from === from)) {
      if (typeOnly || loaded.has(to)) continue;
      loaded.add(to);
      visit(to);
    }
  };
  visit(file);
  return loaded;
}

test('every form of import is seen, and told from one of types only', () => {
  const source = `
    import a from './a.ts';
    import * as b from "../b.ts";
    import {
      c,
      type D,
    } from '@aws-sdk/c';
    import type { E } from './e.ts';
    import { type F } from './f.ts';
    export * from './g.ts';
    export type { H } from './h.ts';
    import './i.ts';
    const j = await import('./j.ts');
    const k = require('k');
    export const from = 'nothing';`;
  expect(importsOf('x/y/z.ts', source).map(({ to, typeOnly }) => `${to}${typeOnly ? ' (types)' : ''}`)).toEqual([
    'x/y/a.ts',
    'x/b.ts',
    '@aws-sdk/c',
    'x/y/e.ts (types)',
    'x/y/f.ts',
    'x/y/g.ts',
    'x/y/h.ts (types)',
    'x/y/i.ts',
    'x/y/j.ts',
    'k',
  ]);
});

test('every import of a file of ours names a file that is there', () => {
  const ours = imports.filter(({ to }) => /^(shared|functions|infra)\//.test(to) && /\.m?[jt]s$/.test(to));
  expect(ours.length).toBeGreaterThan(50);
  expect(told(ours.filter(({ to }) => !files.includes(to)))).toEqual([]);
});

describe('a function', () => {
  const others = noRoutes.map((name) => `functions/${name}.ts`);
  const functions = files.filter((file) => file.startsWith('functions/') && !others.includes(file));

  test.each(functions)('imports its own route, the rules and the stores, and nothing else: %s', (file) => {
    const [, resource] = file.split('/');
    const allowed = new RegExp(
      `^shared/((light-)?endpoint\\.ts|routes/${resource}\\.ts|domain/.+|schemas/.+|store/.+|errors\\.ts)$`,
    );
    const own = imports.filter(({ from }) => from === file);
    expect(own.map(({ to }) => to)).toContain(`shared/routes/${resource}.ts`);
    expect(told(own.filter(({ to }) => !allowed.test(to)))).toEqual([]);
  });

  test.each(functions)('loads no route table, neither itself nor through others: %s', (file) => {
    expect(loadedBy(file)).not.toContain('shared/routes/index.ts');
  });

  test('never imports another function', () => {
    expect(told(within('functions').filter(({ to }) => to.startsWith('functions/')))).toEqual([]);
  });

  test('imports no package, other than for its types', () => {
    const ours = within('functions').filter(({ to }) => to.startsWith('shared/'));
    expect(told(within('functions').filter((one) => !one.typeOnly && !ours.includes(one)))).toEqual([]);
  });

  test('for everything else loads neither an SDK nor a schema: it answers errors only', () => {
    const loaded = [...loadedBy('functions/fallback.ts')];
    expect(loaded).toContain('shared/env.ts');
    expect(loaded.filter((to) => sdk.test(to) || /^(valibot|@middy|shared\/(store|routes|schemas))/.test(to))).toEqual(
      [],
    );
  });
});

describe('the rules, schemas and routes', () => {
  const pure = within('shared/domain/', 'shared/schemas/', 'shared/routes/');

  test('do no I/O: no store but for its types, no middleware, no SDK, no environment', () => {
    expect(pure.length).toBeGreaterThan(10);
    const io =
      /^shared\/(store|middleware)\/|^shared\/(endpoint|light-endpoint|onion|env)\.ts|^node:(?!(crypto|zlib)$)|^@middy\//;
    expect(told(pure.filter(({ to, typeOnly }) => sdk.test(to) || (!typeOnly && io.test(to))))).toEqual([]);
  });

  test('reach no store and no middleware through others either', () => {
    const reached = files
      .filter((file) => /^shared\/(domain|schemas|routes)\//.test(file))
      .flatMap((file) => [...loadedBy(file)].map((to) => ({ from: file, to, typeOnly: false })));
    expect(told(reached.filter(({ to }) => sdk.test(to) || /^shared\/(store|middleware)\//.test(to)))).toEqual([]);
  });

  test('stand in order: schemas know no rule and no route, rules know no route', () => {
    const up = [
      ...within('shared/schemas/').filter(({ to }) => /^shared\/(domain|routes)\//.test(to)),
      ...within('shared/domain/').filter(({ to }) => to.startsWith('shared/routes/')),
    ];
    expect(told(up)).toEqual([]);
  });
});

describe('the SDK', () => {
  const users = within('shared', 'functions').filter(({ to }) => sdk.test(to));

  test('stops at the store', () => {
    expect(users.length).toBeGreaterThan(0);
    expect(told(users.filter(({ from }) => !from.startsWith('shared/store/')))).toEqual([]);
  });
});

describe('what a Lambda runs', () => {
  test('knows nothing of its hosts, of CDK, and of tests', () => {
    expect(told(within('shared', 'functions').filter(({ to }) => cdk.test(to) || /^(infra|test)\//.test(to)))).toEqual(
      [],
    );
  });

  test('imports functions from nowhere in shared', () => {
    expect(told(within('shared').filter(({ to }) => to.startsWith('functions/')))).toEqual([]);
  });
});

describe('the reading of documents', () => {
  test('is pure: no SDK, no environment, no other layer', () => {
    const reading = within('shared/reading/');
    expect(reading.length).toBeGreaterThan(20);
    expect(told(reading.filter(({ to }) => sdk.test(to) || /^shared\/(?!reading\/)/.test(to)))).toEqual([]);
  });

  test('tells kinds apart without the libraries that read them', () => {
    const packages = [...loadedBy('shared/reading/kind.ts')].filter((to) => !to.startsWith('shared/'));
    expect(packages).toEqual(['file-type']);
  });
});

describe('the console', () => {
  const sources = readdirSync(join(root, 'console/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join('console/src', name));
  const used = sources.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

  test('takes of the service what is shared, and runs in a browser', () => {
    const foreign = used.filter(({ to }) => /^(shared|functions|infra|test|bench)\//.test(to));
    expect(foreign.length).toBeGreaterThan(0);
    const fits = ({ to }: Import) =>
      to.startsWith('shared/') &&
      [to, ...loadedBy(to)].every((one) => !sdk.test(one) && !/^(node:|shared\/(store|middleware|env))/.test(one));
    expect(told(foreign.filter((one) => !fits(one)))).toEqual([]);
  });

  test('is imported by nothing else', () => {
    expect(told(imports.filter(({ to }) => to.startsWith('console/')))).toEqual([]);
  });

  test('has features that do not load each other in circles: the frame knows them, and they not the frame', () => {
    const frame = /^console\/src\/app\/(?!root-route\.tsx)/;
    const own = /^console\/src\/(app\/|main\.tsx)/;
    expect(told(used.filter(({ from, to }) => !own.test(from) && frame.test(to)))).toEqual([]);
  });
});

describe('the infrastructure', () => {
  test('never imports a function or a test', () => {
    expect(within('infra/').some(({ to }) => to === 'shared/routes/index.ts')).toBe(true);
    expect(told(within('infra/').filter(({ to }) => /^(functions|test)\//.test(to)))).toEqual([]);
  });
});
