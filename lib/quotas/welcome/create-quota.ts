import type { Step } from '#lib/table/writes/transaction.ts';
import { AccountChangedError } from '../errors.ts';
import { expiryKeys } from '../expiry/expiring-quota.ts';
import type { Quota } from '../quota.ts';
import { quotaToItem } from '../quota-item.ts';

/** Bans are copied, and not looked for: openAnotherQuota is for whoever has a profile. */
export function createQuota(quota: Quota, at = new Date()): Step {
  const { id, validUntil } = quota;
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: { ...quotaToItem(quota), ...(validUntil && expiryKeys(id, validUntil, at)) },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () =>
      new AccountChangedError(`${quota.user} already has a quota in ${quota.project.name}`),
  };
}
