import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { QuotaNotFoundError } from '../errors.ts';
import { welcomeUser } from './welcome-user.ts';

/** For a caller's own account: finding none may mean that this is the first contact, with any system or with that one. */
export async function welcomeAndRead<Found>(
  table: Table,
  catalog: Catalog,
  user: UserId,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof QuotaNotFoundError)) throw error;
    await welcomeUser(table, catalog, user);
    return read();
  }
}
