import { randomUUID } from 'node:crypto';
import { routes } from '../../shared/routes/index.ts';
import { target } from '../local/target.ts';
import { Problem, run } from '../problem.ts';
import { Client } from './client.ts';
import { walk } from './walk.ts';

/** Limit of the walks in milliseconds. They take seconds, or minutes on a busy machine. */
const deadlineMs = 240_000;
/** Limit of the walks with their cleaning up, in milliseconds. */
const lastCallMs = 300_000;

/**
 * Walks every route of a deployed stack, or of the local host, in both spellings of its path at once, and undoes all that it
 * made. Ends with an error where a step went wrong, a route was left out, or something stays behind.
 */
run(async () => {
  const { base, token } = await target();
  const startedAt = performance.now();
  const [deadline, lastCall] = [AbortSignal.timeout(deadlineMs), AbortSignal.timeout(lastCallMs)];
  const problems: string[] = [];

  const walked = async (slash: '' | '/') => {
    const client = new Client({ base, token, slash, deadline, lastCall, tell: console.log });
    const name = `smoke ${randomUUID().slice(0, 8)}`;
    const failed = await walk(client, name).then(
      () => undefined,
      (error) => (error instanceof Problem ? error.message : String(error?.stack ?? error)),
    );
    const left = await client.clean();
    const missed = routes.filter(({ id }) => !client.walked.has(id));
    if (failed) problems.push(`${failed}. What it made was called "${name}"`);
    else if (left.length === 0 && missed.length > 0) {
      problems.push(`Not walked: ${missed.map(({ id }) => id).join(', ')}. infra/smoke/walk.ts should go there`);
    }
    problems.push(...left);
  };
  await Promise.all([walked(''), walked('/')]);

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (problems.length > 0) throw new Problem(`\n${problems.join('\n')}\n\n${base} fails the smoke test (${seconds} s)`);
  console.log(`\n${routes.length} routes of ${base} answer, each in both spellings (${seconds} s)`);
});
