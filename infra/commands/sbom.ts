import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../terminal/arguments.ts';
import { run } from '../terminal/user-error.ts';

const usage = `Usage: npm run sbom
Prints the shipped packages as CycloneDX.`;

const readJson = (name: string) => JSON.parse(readFileSync(name, 'utf8'));

/** Lists the shipped packages. `npm sbom --omit=dev` leaves out those that development needs, too (https://github.com/npm/cli/issues/7909). */
run(async () => {
  readArguments(usage);
  const { devDependencies: _, ...manifest } = readJson('package.json');
  const { packages, ...lock } = readJson('package-lock.json');
  const shipped = Object.entries<{ dev?: boolean }>({ ...packages, '': manifest }).filter(([, { dev }]) => !dev);
  const parent = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const folder = join(parent, manifest.name); // becomes the name of the component
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ ...lock, packages: Object.fromEntries(shipped) }),
    );
    const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
    execFileSync('npm', ['sbom', ...options], { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(parent, { recursive: true });
  }
});
