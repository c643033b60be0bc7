import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { run, UserError } from '../../infra/terminal/user-error.ts';
import { routes } from '../../shared/routes/index.ts';

const usage = `Usage: npm run chaos -- [--only assistants/create]… [--seed word] [--json file] [--races | --webhooks]
Disturbs every request to AWS of every route. --races: runs races of up to a hundred clients instead. --webhooks: sends 2,000 events to
20 webhooks instead, while the host and its functions are killed.`;

/** Runs every trial of every route, large races or many deliveries. The test suite runs a sample of each. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      json: { type: 'string' },
      races: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
    },
  });
  const { only, seed, json, races, webhooks } = values;
  const ids: string[] = routes.map(({ id }) => id);
  const unknown = only.find((one) => !ids.includes(one));
  if (unknown) throw new UserError(`There is no route ${unknown}: choose one of ${ids.join(', ')}`);
  if (races && webhooks) throw new UserError('Choose --races or --webhooks');
  const file = races ? 'test/api/races.test.ts' : `test/chaos/${webhooks ? 'webhooks' : 'faults'}.test.ts`;
  const options = ['--disable-console-intercept', '--testTimeout=7200000'];
  const { status } = spawnSync('vitest', ['run', file, ...options], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHAOS_ALL: 'true',
      CHAOS_ONLY: only.join(','),
      ...(seed && { CHAOS_SEED: seed }),
      ...(json && { CHAOS_JSON: resolve(json) }),
    },
  });
  process.exitCode = status ?? 1;
});
