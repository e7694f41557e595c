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
  /**
   * Ways to get credentials that a function never goes: Lambda gives them in the environment, which
   * is asked first, and the SDK loads these only when nothing was found there.
   */
  external: [
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-login',
    '@aws-sdk/credential-provider-process',
    '@aws-sdk/credential-provider-sso',
    '@aws-sdk/credential-provider-web-identity',
    '@aws-sdk/nested-clients',
    '@aws-sdk/token-providers',
  ],
} as const;
