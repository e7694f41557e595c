/** The bundler writes the version and the commit here (infra/constructs/functions/bundle-options.ts). */
declare const BUILT_IN_VERSION: string;

/** A bundle is of one commit, and its package.json is not beside it. */
export const runningVersion: string = BUILT_IN_VERSION;
