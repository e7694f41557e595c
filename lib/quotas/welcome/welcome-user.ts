import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { bansInProject, type UserBans } from '#lib/users/bans.ts';
import { createProfile, noteWelcome, readProfile } from '#lib/users/profile-store.ts';
import { nextRenewal } from '../calendar/next-renewal.ts';
import { writeLedgerLine } from '../ledger.ts';
import { accountOf, openQuota, type Quota } from '../quota.ts';
import { readQuotas } from '../quota-store.ts';
import { createQuota } from './create-quota.ts';
import { findNewSystems } from './find-new-systems.ts';

/**
 * First contact, with the service or with a system that came later: the profile notes the systems,
 * and on each one's default project there is a quota, where there was none, with the user's bans.
 * It is one transaction that only one of any number of simultaneous calls can win. Whoever creates
 * a quota in another way welcomes the user too: no quota on a system without its name in the
 * profile, so a caller who has a quota needs no look at the profile. A quota that was removed is
 * not given again. All later quotas are opened by openAnotherQuota.
 */
export async function welcomeUser(
  table: Table,
  { systems }: Catalog,
  user: UserId,
  at = new Date(),
): Promise<void> {
  await decideUntilWritten(async () => {
    const profile = await readProfile(table, user);
    const added = profile ? await findNewSystems(table, systems, profile) : systems;
    const welcomedOn = new Set([...(profile?.welcomedOn ?? []), ...systems.map(nameOf)]);
    if (profile?.welcomedOn?.length === welcomedOn.size) return;
    const quotas = await openWelcomeQuotas(table, added, user, at, profile?.bans);
    await writeTransaction(table, [
      profile ? noteWelcome(profile, [...welcomedOn]) : createProfile(user, at, [...welcomedOn]),
      ...quotas.flatMap((quota) => [createQuota(quota, at), recordWelcome(quota, at)]),
    ]);
  });
}

/** Where there is none: a tool may have brought one in. */
async function openWelcomeQuotas(
  table: Table,
  systems: readonly HpcSystem[],
  user: UserId,
  at: Date,
  bans: UserBans = { projects: [] },
): Promise<Quota[]> {
  if (systems.length === 0) return [];
  const held = new Set((await readQuotas(table, user)).map(({ project }) => project.number));
  const missing = systems.filter((system) => !held.has(defaultProject(system).number));
  const firstNumber = missing.length > 0 ? await takeNumbers(table, 'quota', missing.length) : 0;
  return missing.map((system, index) => {
    const account = { id: firstNumber + index, user, project: defaultProject(system) };
    const { renews: rule } = system.welcomeQuota;
    return openQuota(account, system.welcomeQuota, {
      renewal: rule && { rule, next: nextRenewal(rule, at) },
      bans: bansInProject(bans, accountOf(account)),
    });
  });
}

function recordWelcome(quota: Quota, at: Date): Step {
  const { time, space } = quota;
  return writeLedgerLine({
    ...accountOf(quota),
    kind: 'grant',
    seconds: time.granted,
    kilobytes: space.granted,
    at,
    by: 'slipway',
    reason: 'first contact',
    opens: true,
  });
}

function nameOf({ name }: HpcSystem) {
  return name;
}
