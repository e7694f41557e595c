import type { PrimaryKey } from '#lib/table/keys.ts';

/** One text for both parts of a key, to find its item by. */
export function nameKey({ PK, SK }: PrimaryKey): string {
  return `${PK} ${SK}`;
}
