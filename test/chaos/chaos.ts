import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem, run } from '../../infra/problem.ts';
import { routes } from '../../shared/routes/index.ts';

/** Makes every trial of every route, or large races, where the tests make some. */
run(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'string' },
      races: { type: 'boolean', default: false },
    },
  });
  const { only, seed, json, races } = values;
  if (only && !routes.some(({ id }) => id === only))
    throw new Problem(`There is no route ${only}: take one of ${routes.map(({ id }) => id).join(', ')}`);
  const file = races ? 'test/api/races.test.ts' : 'test/chaos/faults.test.ts';
  const options = ['--disable-console-intercept', '--testTimeout=7200000'];
  const { status } = spawnSync('vitest', ['run', file, ...options], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHAOS_ALL: 'true',
      ...(only && { CHAOS_ONLY: only }),
      ...(seed && { CHAOS_SEED: seed }),
      ...(json && { CHAOS_JSON: resolve(json) }),
    },
  });
  process.exitCode = status ?? 1;
});
