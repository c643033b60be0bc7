import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { makeOf } from '../stamp.ts';

const root = join(import.meta.dirname, '..', '..');

/** A folder of its own, so that a `cdk synth` of another environment changes nothing here. */
const outdir = join(root, 'cdk.out', 'local');

/** Everything that the templates and bundles are made of. */
const sources = [
  'shared/**/*.ts',
  'functions/**/*.ts',
  'infra/*.ts',
  'infra/console/*',
  'package-lock.json',
  'cdk.json',
];

/** Synthesizes the stacks of `env=dev`, unless nothing has changed since. Gives the folder of the cloud assembly. */
export async function synthesize(): Promise<string> {
  await makeOf({ sources, outdir }, async () => {
    console.error('Building the functions and synthesizing the stacks …');
    const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
    const synth = ['synth', '--quiet', '--no-notices', '-c', 'env=dev', '--output', outdir];
    await promisify(execFile)(process.execPath, [cdk, ...synth], { cwd: root }).catch(({ stderr }) => {
      throw new Problem(`${stderr}\nThe stacks cannot be synthesized: mend what is named above`);
    });
    // The bundles are CommonJS; without this, Node takes the project's own "type": "module" for theirs.
    writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
  });
  return outdir;
}
