/**
 * Bytes of one minified bundle: what is loaded at every cold start. With connectors of all kinds the
 * largest has 392,000.
 */
export const bundleBudget = 400_000;
