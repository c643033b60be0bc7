/**
 * Prints the shipped packages as CycloneDX. `npm sbom --omit=dev` would leave out those that packages for development need, too
 * (https://github.com/npm/cli/issues/7909).
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const readJson = (name: string) => JSON.parse(readFileSync(name, 'utf8'));
const { devDependencies: _, ...manifest } = readJson('package.json');
const { packages, ...lock } = readJson('package-lock.json');
const shipped = Object.entries<{ dev?: boolean }>({ ...packages, '': manifest }).filter(([, { dev }]) => !dev);

const parent = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  const folder = join(parent, manifest.name); // becomes the name of the component
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(shipped) }));
  const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  execFileSync('npm', ['sbom', ...options], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(parent, { recursive: true });
}
