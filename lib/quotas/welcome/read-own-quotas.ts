import type { Catalog } from '#lib/catalog/catalog.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Quota } from '../quota.ts';
import { findQuota, readQuotas } from '../quota-store.ts';
import { welcomeAndRead } from './welcome-and-read.ts';
import { welcomeUser } from './welcome-user.ts';

/**
 * The caller's own quotas. Finding none on a system may mean that this is the first contact with
 * it. Whoever has one there has been welcomed there: that costs no look at the profile.
 */
export async function readOwnQuotas(
  table: Table,
  catalog: Catalog,
  user: UserId,
  hpc?: SystemName,
): Promise<Quota[]> {
  const quotas = await readQuotas(table, user, hpc);
  const expected = hpc === undefined ? catalog.systems.map(({ name }) => name) : [hpc];
  const found = new Set(quotas.map(({ project }) => project.hpc));
  if (expected.every((name) => found.has(name))) return quotas;
  await welcomeUser(table, catalog, user);
  return readQuotas(table, user, hpc);
}

export async function readOwnQuota(
  table: Table,
  catalog: Catalog,
  account: AccountKey,
): Promise<Quota> {
  return welcomeAndRead(table, catalog, account.user, () => findQuota(table, account));
}
