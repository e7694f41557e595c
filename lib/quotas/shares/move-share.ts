import { writeChange } from '#lib/table/change.ts';
import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import { BudgetEndsError, BudgetNotFoundError, BudgetTooSmallError } from '../errors.ts';
import { type Amount, budgetOf, type Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';

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
