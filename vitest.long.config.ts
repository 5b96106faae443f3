import { defineConfig } from 'vitest/config';
import { scalable } from './test/support/suites.ts';
import { shared } from './vitest.config.ts';

/** More cases than `npm test` has time for, and other ones each time. */
export default defineConfig({
  test: {
    ...shared,
    include: scalable(),
    env: { LECTERN_TEST: 'long' },
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 3_600_000,
  },
});
