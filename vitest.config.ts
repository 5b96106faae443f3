import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real agents are large; `npm run test:agents` has them.
    exclude: [...configDefaults.exclude, 'test/agents/**'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // Only a hang reaches these, however busy the machine is. Speed is for `npm run bench`.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // For tests that start a process each.
    maxConcurrency: 3,
    // Real processes are started by many tests; more workers than cores only makes them wait for each other.
    maxWorkers: 2,
  },
});
