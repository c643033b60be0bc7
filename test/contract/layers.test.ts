import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';

const root = join(import.meta.dirname, '../..');

interface Import {
  /** Path of the importing file, relative to the project's root. */
  from: string;
  /** Path of the imported file, relative to the project's root, or the specifier of a package. */
  to: string;
  /** True if the compiler erases the import. */
  typeOnly: boolean;
}

const statement = /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]/gm;
const otherImport = /(?:^\s*import\s*|\bimport\s*\(\s*|\brequire\s*\(\s*)['"]([^'"]+)['"]/gm;

/** Parses all forms of import and export in a source file. `import { type T }` counts as a value import: it still loads the module. */
function parseImports(from: string, source: string): Import[] {
  const target = (specifier: string) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : specifier;
  return [
    ...[...source.matchAll(statement)].map(([, type, to = '']) => ({ from, to: target(to), typeOnly: !!type })),
    ...[...source.matchAll(otherImport)].map(([, to = '']) => ({ from, to: target(to), typeOnly: false })),
  ];
}

const files = ['shared', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]s$/.test(name))
    .map((name) => join(folder, name)),
);
const imports = files.flatMap((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));

const listImports = (...folders: string[]) =>
  imports.filter(({ from }) => folders.some((folder) => from.startsWith(folder)));
const sdk = /^(@aws-sdk|@smithy)\//;
const cdk = /^(aws-cdk-lib|constructs|cdk-nag)(\/|$)/;

/** Formats imports for the message of a failed assertion. */
const formatImports = (faulty: Import[]) => faulty.map(({ from, to }) => `${from} imports ${to}`);

/** Returns the modules that a file loads when it runs, directly or indirectly. */
function findLoadedModules(file: string): Set<string> {
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

test('parses every form of import, and detects those of types only', () => {
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
  expect(parseImports('x/y/z.ts', source).map(({ to, typeOnly }) => `${to}${typeOnly ? ' (types)' : ''}`)).toEqual([
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

test('every imported file exists', () => {
  const ours = imports.filter(({ to }) => /^(shared|functions|infra)\//.test(to) && /\.m?[jt]s$/.test(to));
  expect(ours.length).toBeGreaterThan(50);
  expect(formatImports(ours.filter(({ to }) => !files.includes(to)))).toEqual([]);
});

describe('a function', () => {
  const others = nonRouteFunctions.map((name) => `functions/${name}.ts`);
  const functions = files.filter((file) => file.startsWith('functions/') && !others.includes(file));

  test.each(functions)('imports only its own route, the domain, the schemas, the stores and errors: %s', (file) => {
    const [, resource] = file.split('/');
    const allowed = new RegExp(
      `^shared/(http/(light-|stream-|mcp-)?endpoint\\.ts|routes/${resource}\\.ts|domain/.+|schemas/.+|store/.+|outbound/check-url\\.ts|conversation/.+|mcp/.+|errors\\.ts)$`,
    );
    const own = imports.filter(({ from }) => from === file);
    expect(own.map(({ to }) => to)).toContain(`shared/routes/${resource}.ts`);
    expect(formatImports(own.filter(({ to }) => !allowed.test(to)))).toEqual([]);
  });

  test.each(functions)('never loads the route table: %s', (file) => {
    expect(findLoadedModules(file)).not.toContain('shared/routes/index.ts');
  });

  test('never imports another function', () => {
    expect(formatImports(listImports('functions').filter(({ to }) => to.startsWith('functions/')))).toEqual([]);
  });

  test('imports only types from packages', () => {
    const ours = listImports('functions').filter(({ to }) => to.startsWith('shared/'));
    expect(formatImports(listImports('functions').filter((one) => !one.typeOnly && !ours.includes(one)))).toEqual([]);
  });

  test('loads no SDK and no schema if it is the fallback, which only answers errors', () => {
    const loaded = [...findLoadedModules('functions/fallback.ts')];
    expect(loaded).toContain('shared/env.ts');
    expect(loaded.filter((to) => sdk.test(to) || /^(valibot|@middy|shared\/(store|routes|schemas))/.test(to))).toEqual(
      [],
    );
  });
});

describe('the domain, schemas and routes', () => {
  const pure = listImports('shared/domain/', 'shared/schemas/', 'shared/routes/');

  test('import no store except types, no middleware, no SDK and no environment', () => {
    expect(pure.length).toBeGreaterThan(10);
    const io = /^shared\/(store|http)\/|^shared\/env\.ts|^node:(?!(crypto|vm|zlib)$)|^@middy\//;
    expect(formatImports(pure.filter(({ to, typeOnly }) => sdk.test(to) || (!typeOnly && io.test(to))))).toEqual([]);
  });

  test('load no store and no middleware indirectly', () => {
    const reached = files
      .filter((file) => /^shared\/(domain|schemas|routes)\//.test(file))
      .flatMap((file) => [...findLoadedModules(file)].map((to) => ({ from: file, to, typeOnly: false })));
    expect(formatImports(reached.filter(({ to }) => sdk.test(to) || /^shared\/(store|http)\//.test(to)))).toEqual([]);
  });

  test('import downwards: routes, then the domain, then schemas', () => {
    const up = [
      ...listImports('shared/schemas/').filter(({ to }) => /^shared\/(domain|routes)\//.test(to)),
      ...listImports('shared/domain/').filter(({ to }) => to.startsWith('shared/routes/')),
    ];
    expect(formatImports(up)).toEqual([]);
  });
});

describe('conversations', () => {
  test('import no middleware and no route', () => {
    const own = listImports('shared/conversation/');
    expect(own.length).toBeGreaterThan(10);
    expect(formatImports(own.filter(({ to }) => /^shared\/(http|routes|triggers|delivery)\//.test(to)))).toEqual([]);
  });
});

describe('the SDK', () => {
  const sdkImports = listImports('shared', 'functions').filter(({ to }) => sdk.test(to));

  test('is imported only by the stores', () => {
    expect(sdkImports.length).toBeGreaterThan(0);
    expect(formatImports(sdkImports.filter(({ from }) => !from.startsWith('shared/store/')))).toEqual([]);
  });
});

describe('the way to addresses that clients name', () => {
  const own = listImports('shared', 'functions').filter(({ typeOnly }) => !typeOnly);

  test('is one folder, besides the keys of the issuer and this API, which the operator names', () => {
    const clients = own.filter(({ to }) => /^(node:(http|https|http2|net|tls|dgram|dns)|undici)$/.test(to));
    expect(new Set(clients.map(({ from }) => from))).toEqual(
      new Set([
        'shared/outbound/agents.ts',
        'shared/outbound/look-up.ts',
        'shared/outbound/send-request.ts',
        'shared/outbound/url-rules.ts',
        'shared/http/middleware/token.ts',
        'shared/mcp/call-operation.ts',
        'shared/parser/give-up-rights.ts', // only removes functions
      ]),
    );
    expect(
      files.filter(
        (file) =>
          /^(shared|functions)\//.test(file) &&
          /(?:await|return|=>|=|\() ?fetch\(/.test(readFileSync(join(root, file), 'utf8')),
      ),
    ).toEqual([]);
  });

  test('is taken by deliveries, tools and answers in text only', () => {
    const senders = files.filter(
      (file) => file.startsWith('functions/') && findLoadedModules(file).has('shared/outbound/send-request.ts'),
    );
    expect(senders.sort()).toEqual([
      'functions/assistants/call-tool.ts',
      'functions/completions/create.ts',
      'functions/deliver.ts',
      'functions/run-job.ts',
      'functions/search/answer.ts',
      'functions/vision/analyze.ts',
    ]);
  });
});

describe('the code of Lambda functions', () => {
  test('imports no infrastructure, no CDK and no tests', () => {
    expect(
      formatImports(listImports('shared', 'functions').filter(({ to }) => cdk.test(to) || /^(infra|test)\//.test(to))),
    ).toEqual([]);
  });

  test('never imports a function in shared', () => {
    expect(formatImports(listImports('shared').filter(({ to }) => to.startsWith('functions/')))).toEqual([]);
  });
});

describe('the document parsers', () => {
  test('import no SDK, no environment and no other layer', () => {
    const parserImports = listImports('shared/reading/');
    expect(parserImports.length).toBeGreaterThan(20);
    expect(formatImports(parserImports.filter(({ to }) => sdk.test(to) || /^shared\/(?!reading\/)/.test(to)))).toEqual(
      [],
    );
  });

  test('detect the kind of a file without loading the parsing libraries', () => {
    const packages = [...findLoadedModules('shared/reading/kind.ts')].filter((to) => !to.startsWith('shared/'));
    expect(packages).toEqual(['file-type']);
  });
});

describe('the console', () => {
  const sources = readdirSync(join(root, 'console/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join('console/src', name));
  const consoleImports = sources.flatMap((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));

  test('imports only shared code that runs in a browser', () => {
    const foreign = consoleImports.filter(({ to }) => /^(shared|functions|infra|test|bench)\//.test(to));
    expect(foreign.length).toBeGreaterThan(0);
    const isAllowed = ({ to }: Import) =>
      to.startsWith('shared/') &&
      [to, ...findLoadedModules(to)].every((one) => !sdk.test(one) && !/^(node:|shared\/(store|http|env))/.test(one));
    expect(formatImports(foreign.filter((one) => !isAllowed(one)))).toEqual([]);
  });

  test('is not imported by the backend', () => {
    expect(formatImports(imports.filter(({ to }) => to.startsWith('console/')))).toEqual([]);
  });

  test('has features that never import the app frame', () => {
    const frame = /^console\/src\/app\/(?!root-route\.tsx)/;
    const own = /^console\/src\/(app\/|main\.tsx)/;
    expect(formatImports(consoleImports.filter(({ from, to }) => !own.test(from) && frame.test(to)))).toEqual([]);
  });
});

describe('the clients', () => {
  const listFiles = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  const parse = (file: string) => parseImports(file, readFileSync(join(root, file), 'utf8'));

  test('import nothing of the service, nor of Node, if they run in a browser', () => {
    const own = listFiles('clients/typescript/src').flatMap(parse);
    expect(own.length).toBeGreaterThan(10);
    const allowed = /^(clients\/typescript\/src\/|openapi-fetch$|eventsource-parser$)/;
    expect(formatImports(own.filter(({ to }) => !allowed.test(to)))).toEqual([]);
  });

  test('import only pure code of the service if they run in a terminal', () => {
    const own = listFiles('clients/cli').flatMap(parse);
    const ours = own.filter(
      ({ to, typeOnly }) => !typeOnly && /^(shared|functions|infra|test|console|bench)\//.test(to),
    );
    const io = /^shared\/(store|http|env|routes|outbound\/(?!url-rules)|conversation|delivery|triggers)/;
    const isAllowed = ({ to }: Import) =>
      to.startsWith('shared/') && [to, ...findLoadedModules(to)].every((one) => !sdk.test(one) && !io.test(one));
    expect(formatImports(ours.filter((one) => !isAllowed(one)))).toEqual([]);
  });

  test('are not imported by the backend', () => {
    expect(formatImports(imports.filter(({ to }) => to.startsWith('clients/')))).toEqual([]);
  });
});

describe('the infrastructure', () => {
  test('never imports a function or a test', () => {
    expect(listImports('infra/').some(({ to }) => to === 'shared/routes/index.ts')).toBe(true);
    expect(formatImports(listImports('infra/').filter(({ to }) => /^(functions|test)\//.test(to)))).toEqual([]);
  });
});

describe('the importers', () => {
  const folder = 'clients/cli/import';
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
  const own = sources.flatMap((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));

  test('request nothing outside of the API readers', () => {
    const io = /^(node:(?!timers)|undici)/;
    const readers = /^clients\/cli\/import\/(import-agents|api\/)/;
    expect(formatImports(own.filter(({ from, to }) => io.test(to) && !readers.test(from)))).toEqual([]);
  });
});
