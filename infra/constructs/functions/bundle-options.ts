import type { BuildOptions } from 'esbuild';
import { describeVersion } from './describe-version.ts';
import { type BundledParts, copyTraits, standInsFor } from './stand-ins.ts';

/**
 * How a function becomes one file, as esbuild takes it: the stacks and the bundle report build by
 * this. CommonJS, because an ES module costs a cold start 30 ms (docs/decisions/0004).
 */
export function bundleOptions(parts: BundledParts) {
  return {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // Node would read the map of a bundle at every cold start; map-stacks.ts does when there is a
    // stack to show, and looks for it beside the bundle.
    sourcemap: 'external',
    sourcesContent: false,
    alias: standInsFor(parts),
    // For chosen-systems.ts, kind-traits.ts and running-version.ts of lib/stand-ins. An object costs
    // every module of a bundle four bytes, so there is only one.
    define: {
      BUILT_IN_CATALOG: JSON.stringify({
        systems: parts.catalog.systems,
        kinds: copyTraits(parts.catalog),
      }),
      BUILT_IN_VERSION: JSON.stringify(describeVersion()),
    },
  } as const satisfies BuildOptions;
}
