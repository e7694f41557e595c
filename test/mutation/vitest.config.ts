import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepThread } from './kept-thread.ts';
import { QuickestFirst } from './quickest-first.ts';

const pathOf = (fixture: string) => join(import.meta.dirname, '../fixtures', fixture);

/**
 * What a mutant of lib meets: the tests that run within one process. A mutant ends at the first
 * test that fails, so all that matters is how soon that is: everything is loaded once, by one
 * worker, and slow tests come last.
 */
export default defineConfig({
  plugins: [keepThread],
  // The catalog of the tests, as in the suites (vitest.config.ts).
  resolve: {
    alias: { '#lib/catalog/chosen-systems.ts': pathOf('chosen-systems.ts') },
  },
  test: {
    env: { CATALOG: pathOf('catalog.json') },
    include: ['test/{unit,handlers,integration}/**/*.test.ts'],
    // These read the sources, which are full of mutants, or test what is no part of lib.
    exclude: [
      'test/unit/*.test.ts',
      'test/unit/{local,telemetry,tools}/**',
      // Thousands of requests with wrong tokens, which end in the same few lines.
      'test/handlers/tokens.test.ts',
    ],
    setupFiles: [
      'test/setup/close-network.ts',
      'test/setup/function-environment.ts',
      'test/mutation/part-files.ts',
    ],
    maxWorkers: 1,
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
