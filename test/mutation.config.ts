import { defineConfig } from 'vitest/config';
import { ofLib } from '../vitest.config.ts';
import { QuickestFirst } from './setup/quickest-first.ts';

const left = [
  // These read the sources, which are full of mutants, or test what is not in lib.
  'test/unit/!(config).test.ts',
  'test/unit/{architecture,bench,documentation,local,tools}/**',
  // Thousands of cells, most of which end in the same few lines.
  'test/handlers/matrix*.test.ts',
  // Most of these start processes, in which nothing is mutated.
  '**/*.long.test.ts',
  'test/integration/embedded-*.test.ts',
  // These load all of lib within a test, which then counts as the only one that reaches its constants.
  'test/handlers/{description,local-schedules}.test.ts',
  'test/handlers/apart/errors.test.ts',
];

/** The projects of lib without some files. */
export const ofLibWithout = (...files: string[]) => ({
  sequence: { sequencer: QuickestFirst },
  projects: ofLib.map(({ resolve, test }) => ({
    resolve,
    test: { ...test, exclude: [...left, ...files, ...(test.exclude ?? [])] },
  })),
});

/** The tests that `npm run suite -- mutation` runs. */
export default defineConfig({ test: ofLibWithout() });
