/**
 * How a function becomes one file, as esbuild takes it: the stacks and the bundle report build by
 * this. CommonJS, because an ES module costs a cold start 30 ms (docs/decisions/0004).
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
} as const;
