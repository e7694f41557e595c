import type { UserId } from '#lib/catalog/identifiers.ts';
import { notificationsKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Preferences, preferencesFromItem } from './preferences.ts';

/** Has a file of its own, because most functions with it have no right to write. */
export function readPreferences(table: Table, user: UserId): Promise<Preferences | undefined> {
  return readItem(table, notificationsKey(user), preferencesFromItem);
}
