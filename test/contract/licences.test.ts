import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  license?: string;
  dev?: boolean;
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** What may be part of a product that is not published with its source. Of several to choose from, one is enough. */
const taken = ['MIT', 'Apache-2.0', 'BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'Zlib'];

const isTaken = (license = '') => {
  const names = license.replaceAll(/[()]/g, '').split(/ (?:OR|AND) /);
  return license.includes(' OR ')
    ? names.some((name) => taken.includes(name))
    : names.every((name) => taken.includes(name));
};

test('whatever runs in production has a licence that asks for no more than to be named', () => {
  const own = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(own.length).toBeGreaterThan(50);
  expect(
    own.filter(([, { license }]) => !isTaken(license)).map(([path, { license }]) => `${path}: ${license}`),
  ).toEqual([]);
});
