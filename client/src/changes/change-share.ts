import { type Charging, writeNodeTime, writeSize } from '../format/amounts/amounts.ts';
import type { LedProject, Quota, QuotaWithUsage, Slipway } from '../index.ts';
import { SlipwayProblem } from '../problems/errors.ts';
import type { ProjectPlace } from '../rows/match-projects.ts';
import { phrase } from '../words/changes.ts';
import type { Change } from './describe-change.ts';

export interface MemberPlace extends ProjectPlace {
  readonly user_id: string;
}

/** A change of what a member has. Amounts are added, or taken away if they are negative. */
export interface ShareChange {
  /** Seconds. */
  readonly time?: number | undefined;
  /** Kilobytes. Without it, the first time that somebody gets comes with `firstSpace`. */
  readonly space?: number | undefined;
  readonly firstSpace?: number | undefined;
  readonly until?: string | null | undefined;
  readonly reason: string;
}

interface ChangedShare {
  readonly quota: Quota | QuotaWithUsage;
  /** Null if the quota is as before. */
  readonly change: Change | null;
  readonly isNew: boolean;
}

/**
 * Chooses the kilobytes that come with somebody's first time: what a welcome gives by default, or
 * what the budget has left. Without space, their first job with a folder would be refused.
 */
export function chooseFirstSpace(budget: LedProject['budget']): number {
  return Math.min(10_000_000, budget?.space.left ?? Infinity);
}

const none = { time: { granted: 0 }, space: { granted: 0 }, valid_until: null };

/**
 * Changes the quota of a member, and opens it for somebody new. Sends new totals instead of
 * differences, so that a request that is sent again has no effect the second time.
 */
export async function changeShare(
  client: Pick<Slipway, 'getQuotaOfUser' | 'grantQuota'>,
  place: MemberPlace,
  { time = 0, space: named, firstSpace = 0, until, reason }: ShareChange,
): Promise<ChangedShare> {
  const found = await findMember(client, place);
  const before = found?.usage ?? none;
  const space = named ?? (time > 0 && before.space.granted === 0 ? firstSpace : 0);
  const set = { time: before.time.granted + time, space: before.space.granted + space };
  const amounts = !found || time !== 0 || space !== 0;
  if (!amounts && until === undefined) return { quota: found, change: null, isNew: false };
  const quota = await client.grantQuota({
    ...place,
    body: { reason, ...(amounts && { set }), ...(until !== undefined && { valid_until: until }) },
  });
  const { usage: after } = quota;
  const change = {
    time: { before: before.time.granted, after: after.time.granted },
    space: { before: before.space.granted, after: after.space.granted },
    valid_until: { before: before.valid_until, after: after.valid_until },
  };
  return { quota, change, isNew: !found };
}

/** Says that a member has less than would be taken. Returns undefined if nobody takes too much. */
export function describeTooMuch(
  { user, usage }: Pick<Quota, 'user' | 'usage'>,
  { time, space }: { readonly time: number; readonly space: number },
  charging: Charging,
): string | undefined {
  const granted = usage ?? none;
  const has = { time: granted.time.granted, space: granted.space.granted };
  if (time <= has.time && space <= has.space) return undefined;
  return phrase('problem.hasLess', {
    user,
    time: writeNodeTime(has.time, charging),
    space: writeSize(has.space * 1000),
  });
}

/** Returns undefined for somebody without a quota in the project. */
export async function findMember(
  client: Pick<Slipway, 'getQuotaOfUser'>,
  place: MemberPlace,
): Promise<Quota | undefined> {
  try {
    return await client.getQuotaOfUser({ ...place, expand: 'usage' });
  } catch (error) {
    if (error instanceof SlipwayProblem && error.status === 404) return undefined;
    throw error;
  }
}
