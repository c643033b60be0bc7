import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildUnlessCurrent } from '../bundle/build-cache.ts';
import { UserError } from '../terminal/user-error.ts';

const root = join(import.meta.dirname, '..', '..');

/** Folder of the local cloud assembly. A `cdk synth` of another environment does not touch it. */
const outdir = join(root, 'cdk.out', 'local');

/** Globs of all files that the templates and bundles depend on. */
const sources = [
  'shared/**/*.ts',
  'functions/**/*.ts',
  'infra/*.ts',
  'infra/{bundle,settings,stacks,terminal}/**/*.ts',
  'package-lock.json',
  'cdk.json',
];

/** Synthesizes the stacks of `env=dev` if a source has changed. Returns the folder of the cloud assembly. */
export async function synthesize(): Promise<string> {
  await buildUnlessCurrent({ sources, outdir }, async () => {
    console.error('Building the functions and synthesizing the stacks …');
    const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
    const synth = ['synth', '--quiet', '--no-notices', '-c', 'env=dev', '--output', outdir];
    await promisify(execFile)(process.execPath, [cdk, ...synth], { cwd: root }).catch(({ stderr }) => {
      throw new UserError(`${stderr}\nCannot synthesize the stacks: fix the error above`);
    });
    // Marks the bundles as CommonJS. Otherwise Node applies the project's own "type": "module".
    writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
  });
  return outdir;
}
