import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { AccountChangedError, QuotaNotFoundError } from '#lib/quotas/errors.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { changeOf } from '#lib/table/change.ts';
import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import {
  addBan,
  bansInProject,
  findBan,
  liftBan,
  type QuotaBans,
  type UserBans,
} from '#lib/users/bans.ts';
import type { Profile } from '#lib/users/profile.ts';
import { findProfile, saveBans } from '#lib/users/profile-store.ts';

export interface BanOrder {
  readonly user: UserId;
  /** The project to ban from, or undefined for everything. */
  readonly from?: ProjectKey | undefined;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/**
 * Bans a user from submitting. Reading and cancelling still work. A new user is welcomed first, so
 * the ban cannot race with a first contact. Repeating the order changes nothing, except for a new
 * reason.
 */
export async function banUser(
  table: Table,
  catalog: Catalog,
  order: BanOrder,
  now = new Date(),
): Promise<Profile> {
  await welcomeUser(table, catalog, order.user, now);
  return changeBans(table, order, 'user-banned', now, ({ bans }, quotas) => {
    const { from, reason } = order;
    if (from && !hasQuotaIn(quotas, from)) throw new QuotaNotFoundError(from);
    return addBan(bans, from, reason);
  });
}

/** Lifts this one ban. Does nothing if there is none. */
export async function unbanUser(table: Table, order: BanOrder, now = new Date()): Promise<Profile> {
  return changeBans(table, order, 'user-unbanned', now, ({ bans }, quotas) => {
    const { from } = order;
    // A ban can outlast its quota, and then applies to the next one granted.
    if (from && !hasQuotaIn(quotas, from) && findBan(bans, from) === undefined) {
      throw new QuotaNotFoundError(from);
    }
    return liftBan(bans, from);
  });
}

/**
 * Updates the profile, every quota whose copy of the bans differs, and the audit in one
 * transaction. A submission either came before it, or is refused by its own condition on the quota.
 */
async function changeBans(
  table: Table,
  order: BanOrder,
  kind: 'user-banned' | 'user-unbanned',
  now: Date,
  decide: (profile: Profile, quotas: readonly Quota[]) => UserBans,
): Promise<Profile> {
  return decideUntilWritten(async () => {
    // In this order, because opening a quota after the first read changes the profile's revision.
    const profile = await findProfile(table, order.user);
    const quotas = await readQuotas(table, order.user);
    const bans = decide(profile, quotas);
    const copies = planCopies(quotas, bans);
    const before = findBan(profile.bans, order.from) ?? null;
    const after = findBan(bans, order.from) ?? null;
    if (before === after && copies.length === 0) return profile;
    const act = describeAct(order, kind, now, { before, after });
    await writeTransaction(table, [saveBans(profile, bans), ...copies, recordAct(act)]);
    return { ...profile, bans, revision: profile.revision + 1 };
  });
}

function planCopies(quotas: readonly Quota[], bans: UserBans): Step[] {
  return quotas.flatMap((quota) => {
    const wanted = bansInProject(bans, accountOf(quota));
    return hasBans(quota, wanted) ? [] : [copyBans(quota, wanted)];
  });
}

function describeAct(
  { user, from, reason, by }: BanOrder,
  kind: Act['kind'],
  at: Date,
  ban: { readonly before: string | null; readonly after: string | null },
): Act {
  return { id: randomUUID(), kind, at, by, reason, subject: { user, ...from }, details: { ban } };
}

function hasQuotaIn(quotas: readonly Quota[], { hpc, project }: ProjectKey): boolean {
  return quotas.some((quota) => quota.project.hpc === hpc && quota.project.name === project);
}

/** Returns true if the quota's copy is up to date. */
function hasBans({ bans }: Quota, { here, everywhere }: QuotaBans): boolean {
  return bans.here === here && bans.everywhere === everywhere;
}

/**
 * Writes the bans that the condition of a hold checks. Refused if the quota was removed since it
 * was read; then the user's quotas are read again.
 */
function copyBans(quota: Quota, { here, everywhere }: QuotaBans): Step {
  return {
    Update: changeOf(quotaKey(accountOf(quota)), {
      set: { banned_here: here, banned_everywhere: everywhere },
      when: ['attribute_exists(PK)'],
    }),
    refuse: () => new AccountChangedError(),
  };
}
