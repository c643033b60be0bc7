import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { measureSlowness, workers } from './test/support/slowness.ts';

const deployed = Boolean(process.env.BASE_URL);
const slowness = measureSlowness();

const namesFiles = process.argv.some((word) => word.startsWith('test/'));

/** Seed by which some of many like cases are drawn, or `all`: whoever names files wants all that is in them. */
const seed =
  process.env.TEST_CASES === 'all' ? 'all' : (process.env.TEST_SEED ?? (namesFiles ? 'all' : randomUUID().slice(0, 8)));

const limits = {
  testTimeout: 120_000 * slowness,
  hookTimeout: 120_000 * slowness,
  // What a page or a function comes to is waited for, by polling.
  expect: { poll: { timeout: 30_000 * slowness } },
};

/** Tests of modules that read their environment when they load: each file has modules of its own. */
const ownModules = ['test/store/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/recovery/**/*.test.ts'];

/** Tests that load the CDK, which takes seconds: two workers load it, not all of them. */
const stacks = ['test/infra/**/*.test.ts'];

const local: TestProjectInlineConfiguration[] = [
  { test: { ...limits, name: 'own modules', include: ownModules } },
  // The files of a worker share its modules, and its browser.
  {
    test: {
      ...limits,
      name: 'shared modules',
      include: ['test/**/*.test.ts'],
      exclude: [...ownModules, ...stacks],
      isolate: false,
    },
  },
  {
    test: {
      ...limits,
      name: 'stacks',
      include: stacks,
      isolate: false,
      maxWorkers: availableParallelism(),
      sequence: { groupOrder: 1 },
    },
  },
];

/** By two users, who share the stack with no other file. */
const remote: TestProjectInlineConfiguration[] = [
  { test: { ...limits, name: 'deployed', include: ['test/api/**/*.test.ts'], fileParallelism: false } },
];

export default defineConfig({
  test: {
    maxWorkers: workers,
    // One local host serves the whole run; it stands in a folder of its own.
    globalSetup: 'test/support/global-setup.ts',
    provide: { slowness, seed },
    projects: deployed ? remote : local,
  },
});
