import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { nameRequestSchemas } from '../../../shared/openapi/schemas.ts';
import { routes } from '../../../shared/routes/index.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { buildEndpointsPage } from './endpoints-page.ts';
import { createMissingEvents, hasGeneratedBody, needsValues, toEventFile } from './events.ts';
import { writeTools } from './mcp-tools.ts';
import { writeOpenApi } from './openapi.ts';
import { writePythonClient } from './python-client.ts';

function runNode(task: string, ...command: string[]): void {
  console.log(`${task} …`);
  const { status } = spawnSync('node', command, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new UserError(`${task} failed: fix the errors above, then run npm run derive again`);
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
      .filter((route) => (isNew(route.id) && needsValues(route)) || hasGeneratedBody(route))
      .map(({ id }) => `${toEventFile(id)}: a realistic body and query, the example in the API reference`),
  );
  todo.push(
    ...listUnnamedBodies().map(
      (id) => `shared/schemas: an exported schema as the body of ${id}; list a new file in shared/openapi/schemas.ts`,
    ),
  );

  // Before the measurements, which take minutes.
  if (todo.length > 0) throw new UserError(`Still to write, then run npm run derive again:\n  ${todo.join('\n  ')}`);

  console.log('docs/openapi.json, docs/endpoints.md, shared/mcp/tools.json, clients/python …');
  try {
    writeOpenApi();
    writeTools();
    writePythonClient();
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  writeFileSync('docs/endpoints.md', buildEndpointsPage(routes));

  runNode('Measurements of each request, on the local host', 'infra/commands/cost/cost.ts', '--measure');
  runNode('docs/costs.md, docs/scale.md', 'infra/commands/cost/cost.ts', '--write');

  const vitest = 'node_modules/vitest/vitest.mjs';
  runNode('Snapshots of templates', vitest, 'run', 'test/infra/templates.test.ts', '--update');

  console.log('\nNothing is missing. Read the diff, then run npm run check.');
});
