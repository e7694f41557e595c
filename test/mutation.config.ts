import { defineConfig } from 'vitest/config';
import { ofLib } from '../vitest.config.ts';

const left = [
  // These read the sources, which are full of mutants, or test what is not in lib.
  'test/unit/!(config).test.ts',
  'test/unit/{architecture,bench,documentation,local,tools}/**',
  // Thousands of cells, most of which end in the same few lines.
  'test/handlers/matrix*.test.ts',
];

/** The tests that `npm run suite -- mutation` runs. */
export default defineConfig({
  test: {
    projects: ofLib.map(({ resolve, test }) => ({
      resolve,
      test: { ...test, exclude: [...left, ...(test.exclude ?? [])] },
    })),
  },
});
