import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { QuotaInUseError } from '../errors.ts';
import type { Quota } from '../quota.ts';
import { findQuota } from '../quota-store.ts';
import { deleteQuota } from './change-quota.ts';
import { placeOfOrder, type QuotaOrder, tellOf } from './order.ts';
import { isInUse } from './plan-change.ts';

/**
 * The quota as it was. Its ledger stays, and ends at 0: whatever is granted here later goes on
 * from there, and the sum of all lines is what is left again.
 */
export async function removeQuota(
  table: Table,
  order: QuotaOrder,
  at = new Date(),
): Promise<Quota> {
  const account = placeOfOrder(order);
  return decideUntilWritten(async () => {
    const quota = await findQuota(table, account);
    if (isInUse(quota)) throw new QuotaInUseError('remove', account, quota);
    const { time, space } = quota;
    const added = { seconds: -time.left, kilobytes: -space.left };
    await writeTransaction(table, [
      deleteQuota(quota),
      ...tellOf(
        order,
        {
          act: 'quota-removed',
          line: { kind: 'correction', added },
          details: {
            time: { before: time.granted, after: null },
            space: { before: space.granted, after: null },
            valid_until: { before: quota.validUntil?.toISOString() ?? null, after: null },
          },
        },
        at,
      ),
    ]);
    return quota;
  });
}
