/** Writes the content security policy: only own files, nothing inline, and no frames around the page. */
export function writePolicy(connectTo: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Limits the page to connections to its own origin and these, where the header of the page cannot
 * name them. A browser enforces both policies.
 */
export function limitConnections(page: string, connectTo: readonly string[]): string {
  const policy = `connect-src ${["'self'", ...connectTo].join(' ')}`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const limited = page.replace('<title>', `${meta}\n    <title>`);
  if (limited === page) throw new Error('The page has no title to put its policy before.');
  return limited;
}

/** Files with a hash in their name never change. All others are checked each time. */
export const cachingOf = {
  hashed: 'public, max-age=31536000, immutable',
  others: 'no-cache',
} as const;

/** Keeps addresses, which say a lot about the user's jobs, from other sites. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;
