/**
 * Bytes of one minified bundle: what is loaded at every cold start. With connectors of all kinds the
 * largest has 392,000.
 */
export const bundleBudget = 400_000;

/**
 * Bytes of the console's script and style in all, compressed: what a phone loads once, and again
 * after every release. They are 36,000 and 4,000 today.
 */
export const consoleBudget = { script: 90_000, style: 12_000 } as const;
