import { configDefaults, defineConfig } from 'vitest/config';

export const shared = {
  reporters: ['default', './test/support/closing-line.ts'],
  // Only a hang reaches these, however busy the machine is. Speed is for `npm run bench`.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
  // For tests that start a process each.
  maxConcurrency: 3,
  // Many tests start processes; more workers than cores only make them wait for each other.
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    ...shared,
    include: ['test/**/*.test.ts'],
    // `npm run test:agents` runs these against real agents, which are large.
    exclude: [...configDefaults.exclude, 'test/agents/**'],
    globalSetup: ['test/support/global-setup.ts'],
  },
});
