import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../terminal/user-error.ts';
import { buildUnlessCurrent } from './build-cache.ts';

const root = join(import.meta.dirname, '..', '..');

/** Folder that CloudFront and the local host serve. */
const outdir = join(root, 'console', 'dist');

/** Files of the API reference at `/docs`, by their path in the output; the others are in `console/public/docs`. */
const referenceFiles = {
  'docs/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'docs/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'docs/swagger-ui-bundle.js.LICENSE.txt': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'openapi.json': 'docs/openapi.json',
};

/** Builds the console if its sources have changed, and returns its folder. Throws UserError if the build fails. */
export async function buildConsole(): Promise<string> {
  const sources = [
    ...['console/**/*.*', 'clients/typescript/src/*.ts', 'shared/**/*.ts'],
    ...['docs/openapi.json', 'docs/workers/*', 'package-lock.json'],
  ];
  await buildUnlessCurrent({ sources, exclude: ['console/dist/**', '**/*.d.ts'], outdir }, async () => {
    console.error('Building the console …');
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    // Without it, a test run would build the console in test mode.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [vite, 'build', 'console'], { cwd: root, env }).catch(({ stderr }) => {
      throw new UserError(`${stderr}\nThe console does not build: fix the errors above`);
    });
    for (const [path, source] of Object.entries(referenceFiles)) cpSync(join(root, source), join(outdir, path));
  });
  return outdir;
}
