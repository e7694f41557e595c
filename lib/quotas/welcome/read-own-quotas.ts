import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Table } from '#lib/table/table.ts';
import type { Quota } from '../quota.ts';
import { findQuota, type QuotaPlace, readQuota, readQuotas } from '../quota-store.ts';
import { welcomeUser } from './welcome-user.ts';

/** The caller's own quotas. Finding none may mean that this is the first contact. */
export async function readOwnQuotas(
  table: Table,
  catalog: Catalog,
  user: string,
  hpc?: string,
): Promise<Quota[]> {
  const quotas = await readQuotas(table, user, hpc);
  if (quotas.length > 0) return quotas;
  await welcomeUser(table, catalog, user);
  return readQuotas(table, user, hpc);
}

export async function readOwnQuota(
  table: Table,
  catalog: Catalog,
  place: QuotaPlace,
): Promise<Quota> {
  const quota = await readQuota(table, place);
  if (quota) return quota;
  await welcomeUser(table, catalog, place.user);
  return findQuota(table, place);
}
