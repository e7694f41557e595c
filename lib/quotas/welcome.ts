import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type AccountKey, ledgerPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { bansInProject, type UserBans } from '#lib/users/bans.ts';
import type { Profile } from '#lib/users/profile.ts';
import { createProfile, noteNewQuota, noteWelcome, readProfile } from '#lib/users/profile-store.ts';
import { dueKeysOf } from './calendar.ts';
import { AccountChangedError, QuotaNotFoundError } from './errors.ts';
import { writeLedgerLine } from './ledger.ts';
import { accountOf, openQuota, type Quota } from './quota.ts';
import { quotaToItem } from './quota-item.ts';
import { findQuota, readQuota, readQuotas } from './quota-store.ts';
import { nextRenewal } from './renewal.ts';

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

/** Of these systems those on which somebody who has been seen was not welcomed yet. */
export async function findNewSystems(
  table: Table,
  systems: readonly HpcSystem[],
  { user, welcomedOn }: Profile,
): Promise<readonly HpcSystem[]> {
  if (welcomedOn) return systems.filter(({ name }) => !welcomedOn.includes(name));
  // Before systems were noted a welcome left its trace in the ledger, which outlives the quota.
  const known = await mapInParallel(
    systems,
    width,
    (system) => hasLedgers(table, user, system),
    // Whoever asks is to hear what is wrong, and not how often.
    { stopAtFailure: true },
  );
  return systems.filter((_, index) => !known[index]);
}

const width = 8;

/** In any of its projects: which one was the default then, nobody knows. */
async function hasLedgers(table: Table, user: UserId, { name: hpc, projects }: HpcSystem) {
  for (const { name: project } of projects) {
    if (await hasLedger(table, { user, hpc, project })) return true;
  }
  return false;
}

async function hasLedger(table: Table, account: AccountKey): Promise<boolean> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :ledger',
      ExpressionAttributeValues: { ':ledger': ledgerPartition(account) },
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  return Items.length > 0;
}

/** Bans are copied, and not looked for: openAnotherQuota is for whoever has a profile. */
export function createQuota(quota: Quota, at = new Date()): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: { ...quotaToItem(quota), ...dueKeysOf(quota.id, quota, at) },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () =>
      new AccountChangedError(`${quota.user} already has a quota in ${quota.project.name}`),
  };
}

/**
 * A quota for somebody who has been seen, with the bans that hold there. Where a ban changes at
 * the same moment it is refused with a ProfileChangedError: read the profile again, and repeat.
 */
export function openAnotherQuota(profile: Profile, quota: Quota, at = new Date()): Step[] {
  const bans = bansInProject(profile.bans, accountOf(quota));
  return [noteNewQuota(profile), createQuota({ ...quota, bans }, at)];
}

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
