import { createHash, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { measureSlowness, workers } from './test/support/slowness.ts';

const isDeployed = Boolean(process.env.BASE_URL);
const slowness = measureSlowness();

const hasFileNames = process.argv.some((argument) => argument.startsWith('test/'));

/** Share of similar cases that run. Naming files on the command line runs all of their cases. */
const cases = parseCases(process.env.TEST_CASES ?? (hasFileNames ? 'all' : 'few'));

function parseCases(text: string): 'few' | 'many' | 'all' {
  if (text !== 'few' && text !== 'many' && text !== 'all') throw new Error('TEST_CASES should be few, many or all');
  return text;
}

/** Seed that draws the cases, and the inputs of property tests. */
const seed = process.env.TEST_SEED ?? randomUUID().slice(0, 8);

/** Slow test files. A run of few cases draws a third of them. */
const slowFiles = globSync([
  'test/{chaos,clients,console,infra,local,recovery,workers}/**/*.test.ts',
  'test/api/{cited-questions,costs,docs-examples,isolation,knowledge-bases,scale}.test.ts',
]);
const isLeftOut = (file: string) =>
  cases === 'few' && createHash('sha256').update(`${seed} ${file}`).digest().readUInt32BE() % 3 !== 0;
const leftOut = isDeployed ? [] : slowFiles.filter(isLeftOut);

const limits = {
  setupFiles: 'test/support/seed-properties.ts',
  testTimeout: 300_000 * slowness,
  hookTimeout: 300_000 * slowness,
  // Tests poll for the state of a page or a function.
  expect: { poll: { timeout: 90_000 * slowness, interval: 150 } },
};

/** Tests of modules that read the environment when they load. Each file loads them separately. */
const ownModules = ['test/store/**/*.test.ts', 'test/fuzz/**/*.test.ts', 'test/recovery/**/*.test.ts'];

/** Tests that load the CDK. Loading takes seconds, so only one worker per core runs them, after all other tests. */
const stacks = ['test/infra/**/*.test.ts'];

const local: TestProjectInlineConfiguration[] = [
  { test: { ...limits, name: 'own modules', include: ownModules, exclude: leftOut } },
  // Files that run in the same worker share its modules and its browser.
  {
    test: {
      ...limits,
      name: 'shared modules',
      include: ['test/**/*.test.ts'],
      exclude: [...ownModules, ...stacks, ...leftOut],
      isolate: false,
    },
  },
  {
    test: {
      ...limits,
      name: 'stacks',
      include: stacks,
      isolate: false,
      exclude: leftOut,
      maxWorkers: availableParallelism(),
      sequence: { groupOrder: 1 },
    },
  },
];

/** Tests against a deployed stack. Files run one after another, because they share its two test users. */
const remote: TestProjectInlineConfiguration[] = [
  { test: { ...limits, name: 'deployed', include: ['test/api/**/*.test.ts'], fileParallelism: false } },
];

export default defineConfig({
  test: {
    maxWorkers: workers,
    // Starts one local host for the whole run, with a temporary data folder.
    globalSetup: 'test/support/global-setup.ts',
    provide: { slowness, cases, seed, leftOut },
    projects: isDeployed ? remote : local,
  },
});
