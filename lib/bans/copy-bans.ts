import { AccountChangedError } from '#lib/quotas/errors.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import type { QuotaBans } from '#lib/users/bans.ts';

/** Whether the quota's copy is already this one. */
export function hasBans({ bans }: Quota, { here, everywhere }: QuotaBans): boolean {
  return bans.here === here && bans.everywhere === everywhere;
}

/**
 * What the condition of a hold looks at: from this write on nothing is submitted, or is again. A
 * quota that was removed since it was read is refused: its user's quotas are read again.
 */
export function copyBans(quota: Quota, { here, everywhere }: QuotaBans): Step {
  const copies = [
    { name: 'banned_here', reason: here },
    { name: 'banned_everywhere', reason: everywhere },
  ];
  const set = copies.filter(({ reason }) => reason !== undefined);
  const removed = copies.filter(({ reason }) => reason === undefined);
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(accountOf(quota)),
        UpdateExpression: [
          ...listClause(
            'SET',
            set.map(({ name }) => `${name} = :${name}`),
          ),
          ...listClause(
            'REMOVE',
            removed.map(({ name }) => name),
          ),
        ].join(' '),
        ConditionExpression: 'attribute_exists(PK)',
        ...(set.length > 0 && {
          ExpressionAttributeValues: Object.fromEntries(
            set.map(({ name, reason }) => [`:${name}`, reason]),
          ),
        }),
      },
    }),
    refuse: () => new AccountChangedError(),
  };
}

function listClause(word: 'SET' | 'REMOVE', parts: readonly string[]): string[] {
  return parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [];
}
