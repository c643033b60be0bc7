import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  license?: string;
  dev?: boolean;
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Licences that a product may have in it that is not published with its source; OFL-1.1 is that of fonts. Of several, one is enough. */
const taken = [
  'MIT',
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

const isTaken = (license = '') => {
  const names = license.replaceAll(/[()]/g, '').split(/ (?:OR|AND) /);
  return license.includes(' OR ')
    ? names.some((name) => taken.includes(name))
    : names.every((name) => taken.includes(name));
};

/** Import of a module, for more than its types; of a style sheet; when it is needed. */
const imported =
  /^\s*(?:import|export)\s(?!type\s)[^'";]*?from\s*['"]([^'"]+)['"]|^@?import\s*["']([^"']+)["']|\bimport\(\s*['"]([^'"]+)['"]/gm;

test('the SBOM, the audit and this test cover each package that a function or the console imports', () => {
  const sources = globSync(['{functions,shared,console/src}/**/*.{ts,tsx,css}'], {
    exclude: ['**/*.d.ts', 'shared/openapi/**'],
  });
  const specifiers = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(imported)].map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
  );
  const names = specifiers.flatMap((specifier) => /^(?!node:|\.)(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []);
  const used = [...new Set(names)].toSorted();
  expect(used).toEqual(expect.arrayContaining(['@aws-sdk/client-s3', '@fontsource-variable/inter', 'react']));
  expect(used.filter((name) => packages[`node_modules/${name}`]?.dev !== undefined)).toEqual([]);
});

test('whatever runs in production has a licence that asks for no more than to be named', () => {
  const own = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(own.length).toBeGreaterThan(50);
  expect(
    own.filter(([, { license }]) => !isTaken(license)).map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
});
