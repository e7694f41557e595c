/**
 * What pages of other origins may send and read, wherever the service answers them: the gateway on
 * AWS and the one on a laptop. Tokens travel in a header and never in a cookie, so credentials stay
 * off.
 */
export const crossOrigin = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  /** What a page may send. */
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
  /** What a page may read of an answer. */
  exposed: [
    'allow',
    'apigw-requestid',
    'content-disposition',
    'etag',
    'idempotency-replayed',
    'link',
    'location',
    'retry-after',
    'www-authenticate',
  ],
  maxAgeSeconds: 3600,
} as const;

/**
 * The same for the storage. What is sent there comes straight from a page, so its origin counts.
 * What is fetched comes by a redirect from the service, for which browsers name no origin (`null`):
 * any may read it, and the signature in the address alone decides who can.
 */
export const crossOriginStorage = {
  sent: { methods: ['PUT'], headers: ['content-type', 'if-none-match'] },
  fetched: { methods: ['GET', 'HEAD'], headers: ['range'], origins: ['*'] },
  exposed: ['content-disposition', 'content-length', 'content-range', 'etag'],
  maxAgeSeconds: 3600,
} as const;

/** Whether this is an origin as browsers send it: no path, no slash at its end. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
