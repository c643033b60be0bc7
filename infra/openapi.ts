import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi } from '../shared/openapi.ts';
import { routes } from '../shared/routes/index.ts';
import { Problem, run } from './problem.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'docs', 'openapi.json');

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** The OpenAPI document as the routes, the events and package.json have it. */
export const document = () =>
  openApi(
    readJson('package.json').version,
    routes,
    Object.fromEntries(routes.map(({ id }) => [id, readJson(`events/${id}.json`)])),
  );

/** Writes docs/openapi.json; with `--check`, only tells whether it is current. */
async function main(): Promise<void> {
  const current = `${JSON.stringify(document(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, current);
  else if (readFileSync(file, 'utf8') !== current) {
    throw new Problem('docs/openapi.json is not what the routes say: run npm run openapi, and commit the file');
  }
}

if (import.meta.main) run(main);
