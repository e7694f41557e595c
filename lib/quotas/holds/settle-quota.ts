import { type AccountKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import type { Settlement } from './compute-settlement.ts';

/** What becomes of what a job held. */
export interface Release extends Settlement {
  readonly kilobytes: number;
  /** Whether the job ends by it, or had ended before. */
  readonly endsJob: boolean;
}

/** What was held for a job goes to what it used and to what is left; its space, when it goes. */
export function settleQuota(account: AccountKey, release: Release): Step {
  const { used, returned, kilobytes, endsJob } = release;
  const jobs = endsJob ? 1 : 0;
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(account),
        UpdateExpression:
          'ADD time_left :returned, time_held :less_time, time_used :used, ' +
          'space_left :space, space_held :less_space, living_jobs :less_jobs',
        ConditionExpression: 'time_held >= :time AND space_held >= :space AND living_jobs >= :jobs',
        ExpressionAttributeValues: {
          ':returned': returned,
          ':used': used,
          ':time': used + returned,
          ':less_time': -(used + returned),
          ':space': kilobytes,
          ':less_space': -kilobytes,
          ':jobs': jobs,
          ':less_jobs': -jobs,
        },
      },
    }),
    refuse: () =>
      new Error(
        `The quota of ${account.user} in ${account.project} holds less than is to be settled.`,
      ),
  };
}
