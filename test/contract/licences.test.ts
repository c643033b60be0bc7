import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  /** Name of the package, if it is installed under another one. */
  name?: string;
  license?: string;
  dev?: boolean;
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Licences that allow use in a closed-source product. OFL-1.1 is for fonts. */
const accepted = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'Zlib',
  'Unlicense',
  'OFL-1.1',
];

const isAccepted = (license = '') => {
  const names = license.replaceAll(/[()]/g, '').split(/ (?:OR|AND) /);
  return license.includes(' OR ')
    ? names.some((name) => accepted.includes(name))
    : names.every((name) => accepted.includes(name));
};

/** Matches value imports of modules, imports of style sheets, and dynamic imports. */
const importPattern =
  /^\s*(?:import|export)\s(?!type\s)[^'";]*?from\s*['"]([^'"]+)['"]|^@?import\s*["']([^"']+)["']|\bimport\(\s*['"]([^'"]+)['"]/gm;

test('each package that a function, the console or a client imports is a production dependency', () => {
  const sources = globSync(['{functions,shared,console/src,clients/typescript/src,clients/cli}/**/*.{ts,tsx,css}'], {
    exclude: ['**/*.d.ts', 'shared/openapi/**', 'clients/*/dist/**'],
  });
  const specifiers = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
  );
  const names = specifiers.flatMap((specifier) => /^(?!node:|\.)(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []);
  const used = [...new Set(names)].toSorted();
  expect(used).toEqual(expect.arrayContaining(['@aws-sdk/client-s3', '@fontsource-variable/inter', 'react']));
  expect(used.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
});

test('each production dependency has a permissive licence', () => {
  const own = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(own.length).toBeGreaterThan(50);
  expect(
    own.filter(([, { license }]) => !isAccepted(license)).map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
});

test('the SBOM lists each production dependency', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' });
  const { components }: { components: { name: string }[] } = JSON.parse(text);
  const listed = new Set(components.map(({ name }) => name));
  const own = Object.entries(packages).filter(([path, { dev, name }]) => path !== '' && !dev && !name);
  expect(own.length).toBeGreaterThan(50);
  expect(own.map(([path]) => path.split('node_modules/').at(-1) ?? '').filter((name) => !listed.has(name))).toEqual([]);
});
