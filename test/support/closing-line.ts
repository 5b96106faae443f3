import type { Reporter, TestModule } from 'vitest/node';

/** Tells what was skipped for which reason, and ends the output with one plain line of counts that any tool can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const reasons = new Set<string>();
    for (const module of modules) {
      const before = counts.failed;
      for (const each of module.children.allTests()) {
        const result = each.result();
        if (result.state !== 'pending') counts[result.state] += 1;
        if (result.state === 'skipped' && result.note !== undefined)
          reasons.add(`${each.parent.type === 'suite' ? each.parent.name : each.name}: ${result.note}`);
      }
      // What fails before or between tests is no test's failure.
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
    }
    for (const reason of reasons) process.stdout.write(`\nSkipped ${reason}`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
