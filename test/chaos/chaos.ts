import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { run, UserError } from '../../infra/terminal/user-error.ts';
import { routes } from '../../shared/routes/index.ts';

const usage = `Usage: npm run chaos -- [--only assistants/create]… [--seed word] [--json file] [--races]
Disturbs every request to AWS of every route. --races: runs races of up to a hundred clients instead.`;

/** Runs every trial of every route, or large races with `--races`. The test suite runs a sample of both. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      json: { type: 'string' },
      races: { type: 'boolean', default: false },
    },
  });
  const { only, seed, json, races } = values;
  const ids: string[] = routes.map(({ id }) => id);
  const unknown = only.find((one) => !ids.includes(one));
  if (unknown) throw new UserError(`There is no route ${unknown}: choose one of ${ids.join(', ')}`);
  const file = races ? 'test/api/races.test.ts' : 'test/chaos/faults.test.ts';
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
