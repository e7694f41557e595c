import type { Step } from '#lib/table/writes/transaction.ts';
import { dueKeysOf } from '../calendar/due-moments.ts';
import { AccountChangedError } from '../errors.ts';
import type { Quota } from '../quota.ts';
import { quotaToItem } from '../quota-item.ts';

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
