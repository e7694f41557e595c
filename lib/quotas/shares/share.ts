import type { ProjectKey } from '#lib/table/keys.ts';
import { NotFromBudgetError } from '../errors.ts';
import { type Amount, isNothing, nothing, type Quota } from '../quota.ts';

/**
 * Returns how an administrator's change of the grant changes the share. What an administrator takes
 * away is not given back to the budget, but a share is never more than the grant.
 */
export function trimShare(
  { time, space, share = nothing }: Pick<Quota, 'time' | 'space' | 'share'>,
  added: Amount,
): Amount {
  return {
    seconds: Math.min(0, time.granted + added.seconds - share.seconds),
    kilobytes: Math.min(0, space.granted + added.kilobytes - share.kilobytes),
  };
}

/** Returns true if all of a quota came from the budget. */
export function isWholeShare({ time, space, share }: Pick<Quota, 'time' | 'space' | 'share'>) {
  return time.granted === (share?.seconds ?? 0) && space.granted === (share?.kilobytes ?? 0);
}

/** Returns why a leader may not change a quota by this much, if they may not. */
export function judgeShare(
  project: ProjectKey,
  { share = nothing }: Pick<Quota, 'share'>,
  added: Amount,
): NotFromBudgetError | undefined {
  const isCovered = share.seconds + added.seconds >= 0 && share.kilobytes + added.kilobytes >= 0;
  return isCovered ? undefined : new NotFromBudgetError(project, share);
}

/** Lists the attributes that change with the share of a member's quota. */
export function addToShare(added: Amount | undefined): Record<string, number> {
  return added && !isNothing(added)
    ? { share_seconds: added.seconds, share_kilobytes: added.kilobytes }
    : {};
}

/** Lists the share as it was read, which a change is conditional on. */
export function expectShare({ share }: Pick<Quota, 'share'>) {
  return { share_seconds: share?.seconds, share_kilobytes: share?.kilobytes };
}
