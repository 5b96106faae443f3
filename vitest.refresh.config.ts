import { defineConfig } from 'vitest/config';
import agents from './vitest.agents.config.ts';

/** Follows new versions of the agents. One agent may take some minutes. */
export default defineConfig({
  test: {
    ...agents.test,
    include: ['test/agents/refresh.ts'],
    testTimeout: 3_600_000,
    disableConsoleIntercept: true,
  },
});
