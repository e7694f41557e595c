import type { UserId } from '#lib/catalog/identifiers.ts';
import { profileKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { profileFromItem } from './profile.ts';

/** Reads the names of users. Whoever has none is left out. */
export async function readNames(
  table: Table,
  users: Iterable<UserId>,
): Promise<ReadonlyMap<UserId, string>> {
  const items = await readItems(table, [...new Set(users)].map(profileKey));
  return new Map(
    items
      .map(profileFromItem)
      .flatMap(({ user, name }) => (name === undefined ? [] : [[user, name]])),
  );
}
