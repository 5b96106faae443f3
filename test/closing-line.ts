import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one plain line of counts that any tool can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const { type } of [...module.children.allTests()].map((each) => ({ type: each.result().state }))) {
        if (type === 'passed' || type === 'failed' || type === 'skipped') counts[type] += 1;
      }
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) counts.failed += 1;
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
