import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { AccountMissingError } from './errors.ts';
import { readLogin } from './login-store.ts';

/** As whom a job of the user would run on a system; nothing, and no read, where it is the service. */
export async function requireLogin(
  table: Table,
  user: UserId,
  system: HpcSystem,
): Promise<string | undefined> {
  if (!runsAsOwner(system)) return undefined;
  const login = await readLogin(table, user, system.name);
  if (!login) throw new AccountMissingError(user, system.name);
  return login.name;
}
