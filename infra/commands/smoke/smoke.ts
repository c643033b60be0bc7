import { randomUUID } from 'node:crypto';
import { routes } from '../../../shared/routes/index.ts';
import { getTarget } from '../../local/target.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { Client } from './client.ts';
import { walkRoutes } from './walk.ts';

/** Timeout of the walks, in milliseconds. They take seconds, or minutes on a busy machine. */
const deadlineMs = 240_000;
/** Timeout of the walks and their cleanup, in milliseconds. */
const cleanupDeadlineMs = 300_000;

const usage = `Usage: npm run smoke
Calls every route of the local host, or of the API at BASE_URL as the user of TOKEN, and deletes what it created.`;

/**
 * Calls every route of a deployed stack or of the local host, in both spellings of its path in parallel, and undoes all
 * changes. Fails if a step goes wrong, a route is not called, or something cannot be deleted.
 */
run(async () => {
  readArguments(usage);
  const { base, token } = await getTarget();
  const startedAt = performance.now();
  const [deadline, cleanupDeadline] = [AbortSignal.timeout(deadlineMs), AbortSignal.timeout(cleanupDeadlineMs)];
  const problems: string[] = [];

  const walkAndCleanUp = async (slash: '' | '/') => {
    const client = new Client({ base, token, slash, deadline, cleanupDeadline, print: console.log });
    const name = `smoke ${randomUUID().slice(0, 8)}`;
    const failed = await walkRoutes(client, name).then(
      () => undefined,
      (error) => (error instanceof UserError ? error.message : String(error?.stack ?? error)),
    );
    const left = await client.cleanUp();
    const notCalled = routes.filter(({ id }) => !client.calledRoutes.has(id));
    if (failed) problems.push(`${failed}. Everything it created is named "${name}"`);
    else if (left.length === 0 && notCalled.length > 0) {
      problems.push(
        `Not called: ${notCalled.map(({ id }) => id).join(', ')}. Add them to infra/commands/smoke/walk.ts`,
      );
    }
    problems.push(...left);
  };
  await Promise.all([walkAndCleanUp(''), walkAndCleanUp('/')]);

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (problems.length > 0)
    throw new UserError(`\n${problems.join('\n')}\n\n${base} fails the smoke test (${seconds} s)`);
  console.log(`\n${routes.length} routes of ${base} answer, each in both spellings (${seconds} s)`);
});
