import { type AccountKey, formerMemberKey, quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { AccountChangedError, NotFromBudgetError, QuotaInUseError } from '../errors.ts';
import { accountOf, isNothing, nothing, type Quota, subtract } from '../quota.ts';
import { findQuota } from '../quota-store.ts';
import { describeRenewalChange } from '../renewal.ts';
import { returnedShare } from '../shares/give-back-share.ts';
import { isWholeShare } from '../shares/share.ts';
import { type OrderRecord, type QuotaOrder, recordOrder } from './quota-order.ts';

/**
 * Removes a quota and returns it as it was. Its ledger stays and ends at 0, so a later grant
 * continues it and the sum of its lines is right again.
 */
export async function removeQuota(
  table: Table,
  order: QuotaOrder,
  at = new Date(),
): Promise<Quota> {
  const account = accountOf(order);
  return decideUntilWritten(async () => {
    const quota = await findQuota(table, account);
    if (order.fromBudget && !isWholeShare(quota)) {
      throw new NotFromBudgetError(account, quota.share ?? nothing);
    }
    if (isInUse(quota)) throw new QuotaInUseError('remove', account, quota);
    await writeTransaction(table, [
      deleteQuota(quota),
      noteFormerMember(account, at),
      ...recordOrder(order, describeRemoval(quota), at),
    ]);
    return quota;
  });
}

/** Lets the statements of the project find the ledger, which nothing else lists any more. */
function noteFormerMember(account: AccountKey, at: Date): Step {
  const note = { type: 'former-member', schema_version: 1, user: account.user };
  return {
    Put: { Item: { ...formerMemberKey(account), ...note, at: at.toISOString() } },
    refuse: () => new AccountChangedError(),
  };
}

/** Returns true while jobs need the quota: active ones, or ended ones that still hold space. */
export function isInUse({
  time,
  space,
  activeJobs,
  drawn,
}: Pick<Quota, 'time' | 'space' | 'activeJobs' | 'drawn'>): boolean {
  return time.held > 0 || space.held > 0 || activeJobs > 0 || (drawn?.kilobytes ?? 0) > 0;
}

function describeRemoval(quota: Quota): OrderRecord {
  const { time, space, validUntil, renewal } = quota;
  const left = { seconds: time.left, kilobytes: space.left };
  const returned = returnedShare(quota, left);
  return {
    act: 'quota-removed',
    line: { kind: 'correction', added: subtract(nothing, left) },
    ...(!isNothing(returned) && { share: subtract(nothing, returned) }),
    details: {
      time: { before: time.granted, after: null },
      space: { before: space.granted, after: null },
      valid_until: { before: validUntil?.toISOString() ?? null, after: null },
      ...describeRenewalChange(renewal?.rule, undefined),
    },
  };
}

/** Deletes the quota only as it was read, because the ledger line takes exactly that much away. */
function deleteQuota(quota: Quota): Step {
  return {
    Delete: {
      Key: quotaKey(accountOf(quota)),
      ConditionExpression:
        'id = :id AND time_left = :time_left AND space_left = :space_left AND ' +
        'time_held = :none AND space_held = :none AND living_jobs = :none AND ' +
        (quota.share
          ? 'share_seconds = :share_seconds AND share_kilobytes = :share_kilobytes'
          : 'attribute_not_exists(share_seconds)') +
        (quota.drawn ? ' AND draws = :draws' : ' AND attribute_not_exists(draws)'),
      ExpressionAttributeValues: {
        ':id': quota.id,
        ':time_left': quota.time.left,
        ':space_left': quota.space.left,
        ':none': 0,
        ...(quota.drawn && { ':draws': quota.drawn.changes }),
        ...(quota.share && {
          ':share_seconds': quota.share.seconds,
          ':share_kilobytes': quota.share.kilobytes,
        }),
      },
    },
    refuse: () => new AccountChangedError(),
  };
}
