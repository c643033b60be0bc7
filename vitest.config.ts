import { randomUUID } from 'node:crypto';
import { defineConfig } from 'vitest/config';
import { measureSlowness, workers } from './test/support/slowness.ts';

const deployed = Boolean(process.env.BASE_URL);
const slowness = measureSlowness();

/** Seed by which some of many like cases are drawn, or `all`. */
const seed = process.env.TEST_CASES === 'all' ? 'all' : (process.env.TEST_SEED ?? randomUUID().slice(0, 8));

/** Tests of modules that read their environment when they load: each file has modules of its own. */
const ownModules = ['test/store/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/recovery/**/*.test.ts'];

const limits = {
  testTimeout: 120_000 * slowness,
  hookTimeout: 120_000 * slowness,
  // What a page or a function comes to is waited for, by polling.
  expect: { poll: { timeout: 30_000 * slowness } },
};

export default defineConfig({
  test: {
    maxWorkers: workers,
    // One local host serves the whole run; it stands in a folder of its own.
    globalSetup: 'test/support/global-setup.ts',
    provide: { slowness, seed },
    projects: deployed
      ? // By two users, who share the stack with no other file.
        [{ test: { ...limits, name: 'deployed', include: ['test/api/**/*.test.ts'], fileParallelism: false } }]
      : [
          { test: { ...limits, name: 'own modules', include: ownModules } },
          // The files of a worker share its modules, and its browser.
          { test: { ...limits, name: 'all', include: ['test/**/*.test.ts'], exclude: ownModules, isolate: false } },
        ],
  },
});
