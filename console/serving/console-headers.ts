/** What a page may do: nothing of others, nothing inline, no frame around it. */
export function writePolicy(connectTo: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What has its own content in its name never changes; everything else is asked for anew. */
export const cachingOf = {
  hashed: 'public, max-age=31536000, immutable',
  others: 'no-cache',
} as const;

/** A page of which the address says everything: others are not told of it. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;
