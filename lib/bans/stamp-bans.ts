import { QuotaNotFoundError } from '#lib/quotas/errors.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import type { QuotaBans } from '#lib/users/profile.ts';

export function carriesBans({ bans }: Quota, { here, everywhere }: QuotaBans): boolean {
  return bans.here === here && bans.everywhere === everywhere;
}

/** What the condition of a hold looks at: from this write on nothing is submitted, or is again. */
export function stampBans(quota: Quota, { here, everywhere }: QuotaBans): Step {
  const account = accountOf(quota);
  const stamps = [
    { name: 'banned_here', reason: here },
    { name: 'banned_everywhere', reason: everywhere },
  ];
  const set = stamps.filter(({ reason }) => reason !== undefined);
  const removed = stamps.filter(({ reason }) => reason === undefined);
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(account),
        UpdateExpression: [
          clause(
            'SET',
            set.map(({ name }) => `${name} = :${name}`),
          ),
          clause(
            'REMOVE',
            removed.map(({ name }) => name),
          ),
        ]
          .join(' ')
          .trim(),
        ConditionExpression: 'attribute_exists(PK)',
        ...(set.length > 0 && {
          ExpressionAttributeValues: Object.fromEntries(
            set.map(({ name, reason }) => [`:${name}`, reason]),
          ),
        }),
      },
    }),
    refuse: () => new QuotaNotFoundError(account),
  };
}

function clause(word: 'SET' | 'REMOVE', parts: readonly string[]): string {
  return parts.length > 0 ? `${word} ${parts.join(', ')}` : '';
}
