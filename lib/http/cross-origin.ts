/**
 * Lets pages of other origins call the service, on AWS and on a laptop. Credentials stay off,
 * because tokens travel in a header and never in a cookie.
 */
export const crossOrigin = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  /** Headers that a page may send. */
  headers: [
    'accept',
    'authorization',
    'content-disposition',
    'content-type',
    'idempotency-key',
    'if-none-match',
    'payload',
    'upload-id',
  ],
  /** Headers that a page may read. */
  exposed: [
    'allow',
    'apigw-requestid',
    'content-disposition',
    'etag',
    'file-starts-at',
    'idempotency-replayed',
    'link',
    'location',
    'retry-after',
    'www-authenticate',
  ],
  maxAgeSeconds: 3600,
} as const;

/**
 * Lets pages use the storage. Uploads come straight from a page, so the origin is checked. Downloads
 * follow a redirect of the service, for which browsers send the origin `null`. So any origin may
 * fetch, and only the signature in the address protects a file.
 */
export const crossOriginStorage = {
  sent: { methods: ['PUT'], headers: ['content-type', 'if-none-match'] },
  fetched: { methods: ['GET', 'HEAD'], headers: ['range'], origins: ['*'] },
  exposed: ['content-disposition', 'content-length', 'content-range', 'etag'],
  maxAgeSeconds: 3600,
} as const;

/** True for an origin as browsers send it, without a path or trailing slash. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
