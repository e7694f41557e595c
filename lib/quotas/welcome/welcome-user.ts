import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { ProfileChangedError } from '#lib/users/errors.ts';
import { createProfile, hasProfile } from '#lib/users/profile-store.ts';
import { writeLedgerLine } from '../ledger.ts';
import { openQuota } from '../quota.ts';
import { readQuotas } from '../quota-store.ts';
import { createQuota } from './create-quota.ts';

/**
 * First contact: the profile, and the quota on each system's default project where there is none,
 * in one transaction that only one of any number of simultaneous calls can win. Whoever creates a
 * quota in another way welcomes the user too: no quota without a profile, so a caller who has a
 * quota needs no look at the profile. From then on quotas are opened by openAnotherQuota, which
 * minds the user's bans.
 */
export async function welcomeUser(
  table: Table,
  { systems }: Catalog,
  user: UserId,
  at = new Date(),
): Promise<void> {
  // Saves known users, who only look for a quota that they do not have, a lost transaction.
  if (await hasProfile(table, user)) return;
  const held = new Set((await readQuotas(table, user)).map(({ project }) => project.number));
  const missing = systems.filter((system) => !held.has(defaultProject(system).number));
  const firstNumber = missing.length > 0 ? await takeNumbers(table, 'quota', missing.length) : 0;
  const grants = missing.flatMap((system, index) =>
    grantWelcomeQuota(system, firstNumber + index, user, at),
  );
  try {
    await writeTransaction(table, [createProfile(user, at), ...grants]);
  } catch (error) {
    // Another call has welcomed the user at the same moment.
    if (!(error instanceof ProfileChangedError)) throw error;
  }
}

function grantWelcomeQuota(system: HpcSystem, id: number, user: UserId, at: Date): Step[] {
  const project = defaultProject(system);
  const { seconds, kilobytes } = system.welcomeQuota;
  return [
    createQuota(openQuota({ id, user, project }, system.welcomeQuota)),
    writeLedgerLine({
      user,
      hpc: project.hpc,
      project: project.name,
      kind: 'grant',
      seconds,
      kilobytes,
      at,
      by: 'slipway',
      reason: 'first contact',
    }),
  ];
}
