import { defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { hasProfile } from '#lib/users/profile-store.ts';
import { openQuota, type Quota } from '../quota.ts';
import { readQuota } from '../quota-store.ts';

/**
 * The quota as a submission would find it. A user who was never seen has none yet: then it is the
 * one that the first contact would grant. Nothing is written.
 */
export async function estimateQuota(
  table: Table,
  system: HpcSystem,
  account: AccountKey,
): Promise<Quota | undefined> {
  const quota = await readQuota(table, account);
  if (quota) return quota;
  // Where somebody has a profile by now, another call's first contact may have been a moment ago.
  if (await hasProfile(table, account.user)) return readQuota(table, account);
  const project = defaultProject(system);
  if (project.name !== account.project) return undefined;
  return openQuota({ id: unnumbered, user: account.user, project }, system.welcomeQuota);
}

/** Record numbers begin with 1. */
const unnumbered = 0;
