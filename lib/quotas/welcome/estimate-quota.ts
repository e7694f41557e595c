import { defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import { openQuota, type Quota } from '../quota.ts';
import { type QuotaPlace, readQuota } from '../quota-store.ts';
import { isWelcome } from './welcome-user.ts';

/**
 * The quota as a submission would find it. A user who was never seen has none yet: then it is the
 * one that the first contact would grant. Nothing is written.
 */
export async function foretellQuota(
  table: Table,
  system: HpcSystem,
  place: QuotaPlace,
): Promise<Quota | undefined> {
  const quota = await readQuota(table, place);
  if (quota) return quota;
  // Where somebody is welcome by now, another call's first contact may have been a moment ago.
  if (await isWelcome(table, place.user)) return readQuota(table, place);
  const project = defaultProject(system);
  if (project.name !== place.project) return undefined;
  return openQuota({ id: unnumbered, user: place.user, project }, system.welcomeQuota);
}

/** Record numbers begin with 1. */
const unnumbered = 0;
