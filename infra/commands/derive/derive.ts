import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { nameRequestSchemas } from '../../../shared/openapi/schemas.ts';
import { routes } from '../../../shared/routes/index.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { readMeasurements } from '../cost/measured.ts';
import { buildEndpointsPage } from './endpoints-page.ts';
import { createMissingEvents, hasGeneratedBody, toEventFile } from './events.ts';
import { writeOpenApi } from './openapi.ts';

function runNode(task: string, ...command: string[]): void {
  console.log(`${task} …`);
  const { status } = spawnSync('node', command, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new UserError(`${task} failed: fix the errors above, then run npm run derive again`);
}

/** Lists the routes that no file names by id. */
function listUnnamedRoutes(...files: string[]): string[] {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('');
  return routes.map(({ id }) => id).filter((id) => !text.includes(`'${id}'`));
}

/** Lists the routes whose body has no name in the API description. */
function listUnnamedBodies(): string[] {
  const named: unknown[] = Object.values(nameRequestSchemas(routes));
  return routes.filter(({ body, form }) => body && !form && !named.includes(body)).map(({ id }) => id);
}

const usage = `Usage: npm run derive
Regenerates everything that derives from the route table, then lists what you still have to write.`;

run(async () => {
  readArguments(usage);
  const todo = routes
    .filter(({ id }) => !existsSync(`functions/${id}.ts`))
    .map(({ id }) => `functions/${id}.ts: the handler`);
  if (todo.length > 0) throw new UserError(`Write first:\n  ${todo.join('\n  ')}`);
  const created = createMissingEvents(routes);
  if (created.length > 0)
    runNode('Missing events', 'node_modules/@biomejs/biome/bin/biome', 'format', '--write', ...created);
  const isNew = (id: string) => created.includes(toEventFile(id));
  todo.push(
    ...routes
      .filter((route) => isNew(route.id) || hasGeneratedBody(route))
      .map(({ id }) => `${toEventFile(id)}: a realistic body and query, the example in the API reference`),
  );
  todo.push(
    ...listUnnamedBodies().map(
      (id) => `shared/schemas: an exported schema as the body of ${id}; list a new file in shared/openapi/schemas.ts`,
    ),
  );

  console.log('docs/openapi.json, docs/endpoints.md …');
  try {
    writeOpenApi();
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  writeFileSync('docs/endpoints.md', buildEndpointsPage(routes));

  runNode('Measurements of each request, on the local host', 'infra/commands/cost/cost.ts', '--measure');
  const measured = new Set(readMeasurements().map(({ route }) => route));
  const unmeasured = routes.filter(({ id }) => !measured.has(id));
  const [walk, documents] = ['infra/commands/smoke/walk.ts', 'infra/commands/smoke/documents.ts'] as const;
  todo.push(...listUnnamedRoutes(walk, documents).map((id) => `${walk}: a call of ${id}`));
  const scale = 'bench/scale/requests.ts';
  todo.push(...listUnnamedRoutes(scale).map((id) => `${scale}: a request to ${id}`));
  todo.push(...unmeasured.map(({ id }) => `test/api/costs.test.ts: a request to ${id}`));
  if (unmeasured.length === 0) runNode('docs/costs.md, docs/scale.md', 'infra/commands/cost/cost.ts', '--write');

  const vitest = 'node_modules/vitest/vitest.mjs';
  runNode('Snapshots of templates', vitest, 'run', 'test/infra/templates.test.ts', '--update');

  console.log(
    todo.length > 0
      ? `\nStill to write, then run npm run derive again:\n  ${todo.join('\n  ')}`
      : '\nNothing is missing. Read the diff, then run npm run check.',
  );
});
