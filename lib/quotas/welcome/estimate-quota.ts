import { defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { bansInProject } from '#lib/users/bans.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import { openQuota, type Quota } from '../quota.ts';
import { readQuota } from '../quota-store.ts';
import { findNewSystems } from './find-new-systems.ts';

/**
 * The quota as a submission would find it. A user who is new to the system has none yet: then it is
 * the one that the first contact would grant. Nothing is written.
 */
export async function estimateQuota(
  table: Table,
  system: HpcSystem,
  account: AccountKey,
): Promise<Quota | undefined> {
  const quota = await readQuota(table, account);
  if (quota) return quota;
  const profile = await readProfile(table, account.user);
  const isNew = !profile || (await findNewSystems(table, [system], profile)).length > 0;
  // Where somebody is known by now, another call's first contact may have been a moment ago.
  if (!isNew) return readQuota(table, account);
  const project = defaultProject(system);
  if (project.name !== account.project) return undefined;
  const bans = profile ? bansInProject(profile.bans, account) : {};
  const { user } = account;
  return openQuota({ id: unnumbered, user, project }, system.welcomeQuota, { bans });
}

/** Record numbers begin with 1. */
const unnumbered = 0;
