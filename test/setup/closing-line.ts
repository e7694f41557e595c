import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The first line of an error, with the last line of code that it came through. */
function sayWhy([error]: Readonly<ReturnType<TestModule['errors']>> = []): string {
  if (error === undefined) return ': no error was reported';
  const line = error.stacks?.[0]?.line;
  return `${line === undefined ? '' : `, line ${line}`}: ${error.message.split('\n')[0]?.slice(0, 300)}`;
}

/** What failed of a file and why: its tests, and around them its loading and its hooks. */
function nameFailures(module: TestModule): string[] {
  const tests = [...module.children.allTests('failed')].map(
    (test) => ` > ${test.fullName}${sayWhy(test.result().errors)}`,
  );
  const suites = [...module.children.allSuites()]
    .filter((suite) => suite.errors().length > 0)
    .map((suite) => ` > ${suite.fullName}${sayWhy(suite.errors())}`);
  const loading = module.errors().length > 0 ? [sayWhy(module.errors())] : [];
  return [...loading, ...suites, ...tests];
}

/**
 * Ends a run with what failed, a line each, and one line of counts that any machine can read: of a long
 * log often only the end is kept.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap((module) =>
        nameFailures(module).map((name) => `failed: ${module.relativeModuleId}${name}\n`),
      ),
      ...unhandledErrors.map((error) => `failed: outside of a test${sayWhy([error])}\n`),
    ];
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
    const counts = `${count('passed')} passed, ${failures.length} failed${skipped}\n`;
    // Behind whatever the other reporters still have to say.
    process.once('exit', () => {
      process.stdout.write(`${failures.join('')}${counts}`);
    });
  }
}
