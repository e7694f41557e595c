import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { QuotaNotFoundError } from '#lib/quotas/errors.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { welcomeUser } from '#lib/quotas/welcome/welcome-user.ts';
import { TableBusyError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import {
  addBan,
  bansInProject,
  findBan,
  liftBan,
  type Profile,
  type UserBans,
} from '#lib/users/profile.ts';
import { findProfile, ProfileChangedError, saveBans } from '#lib/users/profile-store.ts';
import { carriesBans, stampBans } from './stamp-bans.ts';

/** What an administrator wants of a ban. */
export interface BanOrder {
  readonly user: UserId;
  /** The project from which; without it, from everything. */
  readonly place?: ProjectKey | undefined;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/**
 * From now on the user reads and cancels, but does not submit. Somebody who was never seen is
 * welcomed first, so that a first contact finds the ban instead of racing with it. The same order
 * again changes nothing; another reason has the last word.
 */
export async function banUser(
  table: Table,
  catalog: Catalog,
  order: BanOrder,
  now = new Date(),
): Promise<Profile> {
  await welcomeUser(table, catalog, order.user, now);
  return changeBans(table, order, 'user-banned', now, ({ bans }, quotas) => {
    const { place, reason } = order;
    if (place && !quotas.some((quota) => isIn(quota, place))) throw new QuotaNotFoundError(place);
    return addBan(bans, place, reason);
  });
}

/** Lifts this one ban and no other; where there is none, nothing is done. */
export async function unbanUser(table: Table, order: BanOrder, now = new Date()): Promise<Profile> {
  return changeBans(table, order, 'user-unbanned', now, ({ bans }, quotas) => {
    const { place } = order;
    const known = !place || quotas.some((quota) => isIn(quota, place));
    // A quota may be gone and its ban still be there, for the quota that is granted next.
    if (!known && findBan(bans, place) === undefined) throw new QuotaNotFoundError(place);
    return liftBan(bans, place);
  });
}

/** Rounds of reading and writing, each of which only another change of the same user can spoil. */
const maxRounds = 8;

/**
 * One transaction over the profile, every quota that carries other bans than the profile says, and
 * the audit: a submission either was before it, or is refused by its own condition on the quota.
 */
async function changeBans(
  table: Table,
  order: BanOrder,
  kind: 'user-banned' | 'user-unbanned',
  now: Date,
  decide: (profile: Profile, quotas: readonly Quota[]) => UserBans,
): Promise<Profile> {
  for (let round = 0; round < maxRounds; round += 1) {
    // In this order: a quota that is opened after the first read changes the profile's revision.
    const profile = await findProfile(table, order.user);
    const quotas = await readQuotas(table, order.user);
    const bans = decide(profile, quotas);
    const stamps = planStamps(quotas, bans);
    const before = findBan(profile.bans, order.place) ?? null;
    const after = findBan(bans, order.place) ?? null;
    if (before === after && stamps.length === 0) return profile;
    const act = describeAct(order, kind, now, { before, after });
    try {
      await writeTransaction(table, [saveBans(profile, bans), ...stamps, recordAct(act)]);
      return { ...profile, bans, revision: profile.revision + 1 };
    } catch (error) {
      const spoiled = error instanceof ProfileChangedError || error instanceof QuotaNotFoundError;
      if (!spoiled) throw error;
    }
  }
  throw new TableBusyError();
}

function planStamps(quotas: readonly Quota[], bans: UserBans): Step[] {
  return quotas.flatMap((quota) => {
    const { hpc, name: project } = quota.project;
    const wanted = bansInProject(bans, { hpc, project });
    return carriesBans(quota, wanted) ? [] : [stampBans(quota, wanted)];
  });
}

function describeAct(
  { user, place, reason, by }: BanOrder,
  kind: Act['kind'],
  at: Date,
  ban: { readonly before: string | null; readonly after: string | null },
): Act {
  return { id: randomUUID(), kind, at, by, reason, subject: { user, ...place }, details: { ban } };
}

function isIn({ project }: Quota, place: ProjectKey): boolean {
  return project.hpc === place.hpc && project.name === place.project;
}
