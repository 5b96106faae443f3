import { defineConfig } from 'vitest/config';
import { inMemory } from './test/support/suites.ts';
import { shared } from './vitest.config.ts';

/** Tests in memory: seconds, and no build. They leave nothing behind, so files may share what they load. */
export default defineConfig({ test: { ...shared, include: inMemory(), isolate: false } });
