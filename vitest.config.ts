import { defineConfig } from 'vitest/config';
import { measureSlowness, workers } from './test/support/slowness.ts';

const deployed = Boolean(process.env.BASE_URL);
const slowness = measureSlowness();

export default defineConfig({
  test: {
    // A deployed stack is tested over HTTP, by two users who share it with no other file.
    include: deployed ? ['test/api/**/*.test.ts'] : ['test/**/*.test.ts'],
    fileParallelism: !deployed,
    maxWorkers: workers,
    // The files of a worker share its modules, and its browser.
    isolate: deployed,
    // One local host serves the whole run; it stands in a folder of its own.
    globalSetup: 'test/support/global-setup.ts',
    provide: { slowness },
    testTimeout: 120_000 * slowness,
    hookTimeout: 120_000 * slowness,
    // What a page or a function comes to is waited for, by polling.
    expect: { poll: { timeout: 30_000 * slowness } },
  },
});
