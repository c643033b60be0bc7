import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem, run } from '../../infra/problem.ts';
import { routes } from '../../shared/routes/index.ts';

/** Makes every trial of every route, or large races, where the tests make some. */
run(async () => {
  const { values } = parseArgs({
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
  if (unknown) throw new Problem(`There is no route ${unknown}: take one of ${ids.join(', ')}`);
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
