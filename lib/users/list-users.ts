import type { UserId } from '#lib/catalog/identifiers.ts';
import { profileKey, userRegistry } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import { readRegistry } from '#lib/table/reads/registry.ts';
import type { Table } from '#lib/table/table.ts';
import type { Profile } from './profile.ts';
import { profileFromItem } from './profile-item.ts';

export interface UserPage {
  readonly users: readonly Profile[];
  /** The user behind whom the list goes on, where it does. */
  readonly next: UserId | undefined;
}

/**
 * In the order of their numbers. The registry, which may be a moment behind, says who there is;
 * what is said of each is read from the table itself. At most 100 at once, at the cost of the page.
 */
export async function listUsers(table: Table, limit: number, after?: UserId): Promise<UserPage> {
  const { users: names, goesOn } = await readRegistry(table, userRegistry, limit, after);
  const profiles = await readItems(table, names.map(profileKey));
  return {
    users: profiles.map(profileFromItem),
    next: goesOn ? names.at(-1) : undefined,
  };
}
