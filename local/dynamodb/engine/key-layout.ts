// dynalite keeps everything in one flat key space: these are its prefixes, and below them ours.
// The staged writes and the snapshot reads go past its own wrappers, and so must agree with them.

export function tableKey(table: string): string {
  return `table~${table}`;
}

export function itemPrefix(table: string): string {
  return `item-${table}~`;
}

export function indexPrefix(kind: string, table: string, index: string): string {
  return `index-${kind.toLowerCase()}~${table}~${index}~`;
}

/**
 * dynalite ends an index entry's key with 24 bits of a hash of the item's own key, so that of some
 * thousand items with one and the same index key two collide, and one vanishes from the index. The
 * item's whole key behind it makes the entry unique.
 */
export function indexEntryKey(dynaliteKey: string, itemKey: string): string {
  return `${dynaliteKey}/${itemKey}`;
}

export const timeToLivePrefix = 'slipway-ttl~';
export const tokenPrefix = 'slipway-token~';

/** Greater than every key with the prefix: all keys are ASCII. */
export function endOf(prefix: string): string {
  return `${prefix}\xff`;
}
