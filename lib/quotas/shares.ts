import { budgetHolder } from '#lib/catalog/identifiers.ts';
import { writeChange } from '#lib/table/change.ts';
import { type AccountKey, type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import {
  BudgetEndsError,
  BudgetNotFoundError,
  BudgetTooSmallError,
  NotFromBudgetError,
} from './errors.ts';
import { type Amount, isNothing, nothing, type Quota } from './quota.ts';
import { quotaFromItem } from './quota-item.ts';

/** Names the account of a project's budget. */
export function budgetOf({ hpc, project }: ProjectKey): AccountKey {
  return { user: budgetHolder, hpc, project };
}

/**
 * Returns the part of an amount that goes back to the budget when it lapses or is taken away: as
 * much as came from there.
 */
export function returnedShare({ share = nothing }: Pick<Quota, 'share'>, taken: Amount): Amount {
  return {
    seconds: Math.min(taken.seconds, share.seconds),
    kilobytes: Math.min(taken.kilobytes, share.kilobytes),
  };
}

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

/**
 * Moves an amount from a budget to a member's quota, or back if it is negative. The condition and
 * the change are one write, so leaders who share out at the same time cannot oversell a budget. What
 * is shared out counts as used.
 */
export function moveShare(project: ProjectKey, amount: Amount, now: Date): Step {
  const { seconds, kilobytes } = amount;
  const takes = seconds > 0 || kilobytes > 0;
  return {
    Update: {
      Key: quotaKey(budgetOf(project)),
      ...writeChange({
        add: {
          time_left: -seconds,
          time_used: seconds,
          share_seconds: seconds,
          space_left: -kilobytes,
          space_used: kilobytes,
          share_kilobytes: kilobytes,
        },
        when: [
          'attribute_exists(PK)',
          // A balance may be negative after a repair, and is still given back to.
          ...(seconds > 0 ? ['time_left >= :seconds'] : []),
          ...(kilobytes > 0 ? ['space_left >= :kilobytes'] : []),
          ...(takes ? ['(attribute_not_exists(valid_until) OR valid_until > :now)'] : []),
        ],
        values: {
          ...(seconds > 0 && { ':seconds': seconds }),
          ...(kilobytes > 0 && { ':kilobytes': kilobytes }),
          ...(takes && { ':now': now.toISOString() }),
        },
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    refuse: (stored) => explainRefusal(project, stored && quotaFromItem(stored), amount, now),
  };
}

function explainRefusal(
  project: ProjectKey,
  budget: Quota | undefined,
  asked: Amount,
  now: Date,
): Error {
  if (!budget) return new BudgetNotFoundError(project);
  const { time, space, validUntil } = budget;
  if (validUntil && validUntil <= now) return new BudgetEndsError(project, validUntil);
  return new BudgetTooSmallError(project, asked, { seconds: time.left, kilobytes: space.left });
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
