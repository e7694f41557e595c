/** A bucket that the jobs of a system may use, or a part of it. */
export interface AllowedBucket {
  readonly name: string;
  /** The beginning of the keys that are allowed: all, if it is missing. */
  readonly prefix?: string;
  readonly region: string;
  /** Set for a storage other than S3. */
  readonly endpoint?: string;
}

export interface BucketAddress {
  readonly bucket: string;
  readonly key: string;
}

const form = /^s3:\/\/([^/]*)\/(.*)$/s;

export function isBucketAddress(text: string): boolean {
  return text.startsWith('s3://');
}

/** Keys are written as they are, without escapes. */
export function readBucketAddress(text: string): BucketAddress {
  const [, bucket = '', key = ''] = form.exec(text) ?? [];
  return { bucket, key };
}

/** Returns undefined if the catalog does not allow the address, or does not allow it any more. */
export function findBucket(
  { bucket, key }: BucketAddress,
  buckets: readonly AllowedBucket[] = [],
): AllowedBucket | undefined {
  return buckets.find(({ name, prefix = '' }) => name === bucket && key.startsWith(prefix));
}

/** Finds what is wrong with the address of an object, in a sentence. */
export function judgeObject(
  text: string,
  buckets: readonly AllowedBucket[] = [],
): string | undefined {
  const address = readBucketAddress(text);
  if (address.key === '') return 'It must name a bucket and a key, such as s3://lab-data/a.nc.';
  return judgeKey(address.key) ?? judgeBucket(address, buckets);
}

/** Finds what is wrong with a folder that objects are put into. Its address ends in a slash. */
export function judgeFolder(
  text: string,
  buckets: readonly AllowedBucket[] = [],
): string | undefined {
  const address = readBucketAddress(text);
  if (address.key === '') return judgeBucket(address, buckets);
  return judgeKey(address.key.slice(0, -1)) ?? judgeBucket(address, buckets);
}

/** S3 counts bytes, not characters. */
const longestKey = 1024;

/**
 * Clients resolve dots and empty parts in an address, so that they would ask for another key than the
 * one that was judged.
 */
export function judgeKey(key: string): string | undefined {
  if (key.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'Its key must not have empty parts, . or .. between slashes.';
  }
  if (/[\p{Cc}\\]/u.test(key) || !key.isWellFormed()) {
    return 'Its key must not contain backslashes, control characters or broken Unicode.';
  }
  const bytes = Buffer.byteLength(key);
  if (bytes <= longestKey) return undefined;
  return `Its key has ${bytes} bytes, but at most ${longestKey} are allowed.`;
}

function judgeBucket(
  address: BucketAddress,
  buckets: readonly AllowedBucket[],
): string | undefined {
  if (findBucket(address, buckets)) return undefined;
  const allowed = buckets.map(writeBucket).join(', ') || 'no bucket';
  return `This system does not allow s3://${address.bucket}/${address.key}. Allowed: ${allowed}.`;
}

/** Such as `s3://lab-data/public/*`. */
export function writeBucket({ name, prefix = '' }: AllowedBucket): string {
  return `s3://${name}/${prefix}*`;
}
