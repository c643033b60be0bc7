import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApi } from '../../../shared/openapi/document.ts';
import { routes } from '../../../shared/routes/index.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';

const root = join(import.meta.dirname, '../../..');
const file = join(root, 'docs', 'openapi.json');

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Builds the OpenAPI document from the routes, the example events and package.json. */
export const buildDocument = () =>
  buildOpenApi(
    readJson('package.json').version,
    routes,
    Object.fromEntries(routes.map(({ id }) => [id, readJson(`events/${id}.json`)])),
  );

const serialize = (): string => `${JSON.stringify(buildDocument(), null, 2)}\n`;

export const writeOpenApi = (): void => writeFileSync(file, serialize());

const usage = `Usage: npm run openapi -- [--check]
Writes docs/openapi.json. --check only fails if the file is out of date.`;

async function main(): Promise<void> {
  const { check } = readArguments(usage, { options: { check: { type: 'boolean' } } }).values;
  if (!check) writeOpenApi();
  else if (readFileSync(file, 'utf8') !== serialize()) {
    throw new UserError('docs/openapi.json is out of date: run npm run openapi, and commit the file');
  }
}

if (import.meta.main) run(main);
