import { Stryker } from '@stryker-mutator/core';
import { neverMutated } from './folders.ts';

export type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

export interface MutationRun {
  /** A folder or a file. */
  readonly path: string;
  readonly testFiles: readonly string[];
  /** Takes over what a run before found out about mutants and tests that are still the same. */
  readonly incremental: boolean;
}

/** What git ignores: sandboxes and reports. */
const reportDirectory = '.mutation';

export function runStryker({ path, testFiles, incremental }: MutationRun): Promise<Mutant[]> {
  const name = path.replaceAll('/', '-');
  return new Stryker({
    mutate: [
      path.endsWith('.ts') ? path : `${path}/**/*.ts`,
      ...neverMutated.map((each) => `!${each}/**`),
    ],
    testFiles: [...testFiles],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/stryker-plugins.ts'],
    ignorers: ['texts'],
    coverageAnalysis: 'perTest',
    // What is evaluated while a module loads would need all tests for each of its mutants.
    ignoreStatic: true,
    concurrency: 2,
    // Endless loops are counted and ended sooner; a busy machine must not look like one.
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 20,
    incremental: true,
    incrementalFile: `${reportDirectory}/${name}.json`,
    force: !incremental,
    reporters: ['progress-append-only', 'html'],
    htmlReporter: { fileName: `${reportDirectory}/${name}.html` },
    tempDirName: `${reportDirectory}/sandbox`,
    cleanTempDir: 'always',
    ignorePatterns: ['bench', 'cdk.out', 'infra', `/${reportDirectory}`],
    disableTypeChecks: false,
    // Stryker would rewrite it with TypeScript's own parser, which TypeScript 7 has no more.
    tsconfigFile: 'none.json',
    allowConsoleColors: false,
  }).runMutationTest();
}
