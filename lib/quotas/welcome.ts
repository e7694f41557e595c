import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { type AccountKey, ledgerPartition } from '#lib/table/keys.ts';
import { queryPage, selectAll } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { bansInProject, type UserBans } from '#lib/users/bans.ts';
import type { Profile } from '#lib/users/profile.ts';
import { createProfile, noteNewQuota, noteWelcome, readProfile } from '#lib/users/profile-store.ts';
import { dueKeysOf } from './calendar.ts';
import { AccountChangedError, QuotaNotFoundError } from './errors.ts';
import { writeLedgerLine } from './ledger.ts';
import { accountOf, nothing, openQuota, type Quota } from './quota.ts';
import { quotaToItem } from './quota-item.ts';
import { findQuota, readQuota, readQuotas } from './quota-store.ts';
import { nextRenewal } from './renewal.ts';

/**
 * Welcomes a user at the first contact with the service, or with a system that was added later.
 * Opens a quota in the default project of each new system, with the user's bans, and notes the
 * systems in the profile.
 *
 * This is one transaction, so only one of several simultaneous calls succeeds. Every other way to
 * create a quota welcomes the user first. A caller who has a quota on a system has therefore been
 * welcomed there, and the profile need not be read. A quota that was removed is not granted again.
 * All later quotas are opened by openAnotherQuota.
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
    const names = systems.map(({ name }) => name);
    const welcomedOn = new Set([...(profile?.welcomedOn ?? []), ...names]);
    if (profile?.welcomedOn?.length === welcomedOn.size) return;
    const quotas = await openWelcomeQuotas(table, added, user, at, profile?.bans);
    await writeTransaction(table, [
      profile ? noteWelcome(profile, [...welcomedOn]) : createProfile(user, at, [...welcomedOn]),
      ...quotas.flatMap((quota) => [createQuota(quota, at), recordWelcome(quota, at)]),
    ]);
  });
}

/** Skips systems on which the user has a quota, for example from an import. */
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

/** Returns the systems on which a known user has not been welcomed yet. */
async function findNewSystems(
  table: Table,
  systems: readonly HpcSystem[],
  { user, welcomedOn }: Profile,
): Promise<readonly HpcSystem[]> {
  if (welcomedOn) return systems.filter(({ name }) => !welcomedOn.includes(name));
  // Profiles from before `welcomed_on` leave a trace only in the ledger, which outlives the quota.
  const known = await mapInParallel(
    systems,
    width,
    (system) => hasLedgers(table, user, system),
    // The caller needs one error, not one per system.
    { stopAtFailure: true },
  );
  return systems.filter((_, index) => !known[index]);
}

const width = 8;

/** Checks all projects of the system, because its default project may have changed since. */
async function hasLedgers(table: Table, user: UserId, { name: hpc, projects }: HpcSystem) {
  for (const { name: project } of projects) {
    if (await hasLedger(table, { user, hpc, project })) return true;
  }
  return false;
}

async function hasLedger(table: Table, account: AccountKey): Promise<boolean> {
  const lines = selectAll(ledgerPartition(account));
  const { Items } = await queryPage(table, { ...lines, Limit: 1 });
  return Items.length > 0;
}

/** Writes a quota with the bans that it carries. For users with a profile, use openAnotherQuota. */
export function createQuota(quota: Quota, at = new Date()): Step {
  return {
    Put: { Item: { ...quotaToItem(quota), ...dueKeysOf(quota.id, quota, at) }, ...ifMissing },
    refuse: () =>
      new AccountChangedError(`${quota.user} already has a quota in ${quota.project.name}`),
  };
}

/**
 * Opens a quota for a known user, with the bans that apply to it. If the bans change at the same
 * moment, it is refused with a StaleReadError. Then read the profile again and repeat.
 */
export function openAnotherQuota(
  profile: Profile,
  wanted: Quota,
  at = new Date(),
): { readonly quota: Quota; readonly steps: readonly Step[] } {
  const quota = { ...wanted, bans: bansInProject(profile.bans, accountOf(wanted)) };
  return { quota, steps: [noteNewQuota(profile), createQuota(quota, at)] };
}

/**
 * Reads something of the caller's own account. If there is no quota, this may be the first contact,
 * so the caller is welcomed and the account is read again.
 */
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

/**
 * Reads the caller's own quotas. A system without a quota may mean a first contact, so only then is
 * the profile read.
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

/**
 * Returns the quota that a submission would find. For a user who is new to the system, that is the
 * quota the first contact would grant, and for a new member by a group a quota of nothing. Writes
 * nothing.
 */
export async function estimateQuota(
  table: Table,
  system: HpcSystem,
  account: AccountKey,
  joining?: Joining,
): Promise<Quota | undefined> {
  const quota = await readQuota(table, account);
  if (quota) return quota;
  const profile = await readProfile(table, account.user);
  const isNew = !profile || (await findNewSystems(table, [system], profile)).length > 0;
  // The profile may be newer than the first read of the quota, if another call made the first
  // contact.
  const { user } = account;
  const bans = profile ? bansInProject(profile.bans, account) : {};
  const joined = joining?.joins
    ? openQuota({ id: unnumbered, user, project: joining.project }, nothing, { bans })
    : undefined;
  if (!isNew) return (await readQuota(table, account)) ?? joined;
  const project = defaultProject(system);
  if (project.name !== account.project) return joined;
  return openQuota({ id: unnumbered, user, project }, system.welcomeQuota, { bans });
}

interface Joining {
  readonly project: Quota['project'];
  /** True for somebody who is about to become a member by a group. */
  readonly joins?: boolean | undefined;
}

/** Numbers of stored quotas start at 1. */
const unnumbered = 0;
