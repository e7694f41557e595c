import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that any machine can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    // Behind whatever the other reporters still have to say.
    process.once('exit', () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`);
    });
  }
}
