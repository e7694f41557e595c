import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, quotaKey, quotaPrefix, userPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { AccountChangedError } from './account-changed-error.ts';
import { QuotaNotFoundError } from './errors.ts';
import { expiryKeys } from './expiry/expiry-keys.ts';
import type { Settlement } from './holds/compute-settlement.ts';
import { type HoldRules, judgeHold } from './holds/judge-hold.ts';
import type { Hold, Quota } from './quota.ts';
import { quotaFromItem, quotaToItem } from './quota-item.ts';

export async function readQuota(table: Table, account: AccountKey): Promise<Quota | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: quotaKey(account),
      ConsistentRead: true,
    }),
  );
  return Item && quotaFromItem(Item);
}

export async function findQuota(table: Table, account: AccountKey): Promise<Quota> {
  const quota = await readQuota(table, account);
  if (!quota) throw new QuotaNotFoundError(account);
  return quota;
}

/** In ascending project. A user's quotas are as few as the projects: one page holds them. */
export async function readQuotas(table: Table, user: UserId, hpc?: SystemName): Promise<Quota[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :user AND begins_with(SK, :quotas)',
      ExpressionAttributeValues: { ':user': userPartition(user), ':quotas': quotaPrefix(hpc) },
      ConsistentRead: true,
    }),
  );
  return Items.map(quotaFromItem).sort((a, b) => a.project.number - b.project.number);
}

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
      new AccountChangedError(`${quota.user} has a quota in ${quota.project.name} already`),
  };
}

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
          ':most': rules.maxLivingJobs,
          ':now': rules.now.toISOString(),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    refuse: (stored) =>
      judgeHold(account, stored && quotaFromItem(stored), hold, rules) ??
      new Error(`The quota of ${account.user} in ${account.project} was refused for no reason.`),
  };
}

/** What becomes of what a job held. */
export interface Release extends Settlement {
  readonly kilobytes: number;
  /** Whether the job has ended by it, or had before. */
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
      new Error(`The quota of ${account.user} in ${account.project} holds less than that.`),
  };
}
