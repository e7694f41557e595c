import { type AccountKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import type { Hold } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';
import { type HoldRules, judgeHold } from './judge-hold.ts';

/**
 * The condition and the change are one write: a quota cannot be oversold, whatever runs beside.
 * What the condition says is said once more in words by judgeHold, for whoever is refused.
 */
export function holdQuota(account: AccountKey, hold: Hold, rules: HoldRules): Step {
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(account),
        UpdateExpression:
          'ADD time_left :less_time, time_held :time, space_left :less_space, ' +
          'space_held :space, living_jobs :one',
        ConditionExpression:
          'time_left >= :time AND space_left >= :space AND living_jobs < :most AND ' +
          'attribute_not_exists(banned_here) AND attribute_not_exists(banned_everywhere) AND ' +
          '(attribute_not_exists(valid_until) OR valid_until > :now)',
        ExpressionAttributeValues: {
          ':time': hold.seconds,
          ':less_time': -hold.seconds,
          ':space': hold.kilobytes,
          ':less_space': -hold.kilobytes,
          ':one': 1,
          ':most': rules.closed ? 0 : rules.maxLivingJobs,
          ':now': rules.now.toISOString(),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    refuse: (stored) =>
      judgeHold(account, stored && quotaFromItem(stored), hold, rules) ??
      new Error(
        `The quota of ${account.user} in ${account.project} refused a hold for no known reason.`,
      ),
  };
}
