import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real agents are large; `npm run test:agents` has them.
    exclude: [...configDefaults.exclude, 'test/agents/**'],
    globalSetup: ['test/build-once.ts'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Real processes are started by many tests; more workers than cores only makes them wait for each other.
    maxWorkers: 2,
  },
});
