import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A deployed stack is tested over HTTP, by two users who share it with no other file.
    include: process.env.BASE_URL ? ['test/api/**/*.test.ts'] : ['test/**/*.test.ts'],
    fileParallelism: !process.env.BASE_URL,
    // Much of the time a test waits for functions, which are processes of their own.
    maxWorkers: 3,
    // One local host serves the whole run; it stands in a folder of its own.
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 30_000,
    // What a page or a function comes to is waited for, by polling.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
  },
});
