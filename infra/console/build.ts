import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { makeOf } from '../stamp.ts';

const root = join(import.meta.dirname, '..', '..');

/** What CloudFront and the local host serve. */
const outdir = join(root, 'console', 'dist');

/** The files that the API reference at `/docs` needs, by their paths in the console's folder; the rest is in `console/public/docs`. */
const referenceFiles = {
  'docs/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'docs/swagger-ui-bundle.js.LICENSE.txt': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'openapi.json': 'docs/openapi.json',
};

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
    for (const [path, source] of Object.entries(referenceFiles)) cpSync(join(root, source), join(outdir, path));
  });
  return outdir;
}
