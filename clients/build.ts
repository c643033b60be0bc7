// Builds the package of a client into its folder dist, before `npm pack`: node infra/run.mjs clients/build.ts typescript
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Builds the client for browsers and Node, with its types. */
async function buildTypescript(folder: string): Promise<BuildOptions> {
  const bin = join(root, 'node_modules', '.bin');
  const schema = join(folder, 'src', 'schema.d.ts');
  const document = join(root, 'docs', 'openapi.json');
  execFileSync(join(bin, 'openapi-typescript'), [document, '-o', schema, '--default-non-nullable=false'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync(join(bin, 'tsc'), ['-p', folder], { stdio: ['ignore', 2, 2] });
  copyFileSync(schema, join(folder, 'dist', 'types', 'schema.d.ts'));
  return {
    entryPoints: [join(folder, 'src', 'index.ts')],
    outfile: join(folder, 'dist', 'index.js'),
    format: 'esm',
    target: 'es2022',
    // A dependency, because the types name it.
    external: ['openapi-fetch'],
  };
}

/** Builds the command line as one program without dependencies. */
const buildCli = (folder: string): BuildOptions => ({
  entryPoints: [join(folder, 'main.ts')],
  outfile: join(folder, 'dist', 'voice-assistants.cjs'),
  platform: 'node',
  format: 'cjs',
  target: 'node20.12',
  mainFields: ['module', 'main'],
  minify: true,
  banner: { js: '#!/usr/bin/env node' },
});

/** Writes the licences of the packages that a bundle contains. */
function writeLicences(folder: string, inputs: string[]): void {
  const packages = inputs.flatMap((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(packages)].toSorted().map((path) => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, path) });
    const { name, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return `${name}\n\n${file ? readFileSync(join(root, path, file), 'utf8') : `Licence: ${license}\n`}`;
  });
  writeFileSync(join(folder, 'dist', 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

const builds = { typescript: buildTypescript, cli: buildCli };
const [name] = process.argv.slice(2);
if (name !== 'typescript' && name !== 'cli')
  throw new Error(`Usage: node infra/run.mjs clients/build.ts ${Object.keys(builds).join('|')}`);
const folder = join(import.meta.dirname, name);
rmSync(join(folder, 'dist'), { recursive: true, force: true });
const options = await builds[name](folder);
const { metafile } = await build({ ...options, absWorkingDir: root, bundle: true, metafile: true });
writeLicences(folder, Object.keys(metafile.inputs));
