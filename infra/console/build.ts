import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { makeOf } from '../stamp.ts';

const root = join(import.meta.dirname, '..', '..');

/** What CloudFront and the local host serve. */
const outdir = join(root, 'console', 'dist');

/** Builds the console, unless nothing has changed since. Gives the folder. Throws Problem where it does not build. */
export async function buildConsole(): Promise<string> {
  const sources = ['console/**/*.*', 'shared/**/*.ts', 'docs/openapi.json', 'docs/workers/*', 'package-lock.json'];
  await makeOf({ sources, exclude: ['console/dist/**', '**/*.d.ts'], outdir }, async () => {
    console.error('Building the console …');
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    // Or it would be built for the tests that run this.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [vite, 'build', 'console'], { cwd: root, env }).catch(({ stderr }) => {
      throw new Problem(`${stderr}\nThe console cannot be built: mend what is named above`);
    });
  });
  return outdir;
}
