/** Bytes of one minified bundle: what is loaded at every cold start. */
export const bundleBudget = 480_000;
