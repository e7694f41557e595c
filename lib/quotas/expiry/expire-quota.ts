import { quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, type Quota } from '../quota.ts';
import type { ExpiringQuota } from './expiring-quota.ts';
import type { ExpiryPlan } from './plan-expiry.ts';

/** Somebody changed the quota after it was read: prolonged it, or used it. The next sweep sees. */
class QuotaChangedError extends Error {
  override name = 'QuotaChangedError';
}

/** All on condition that the quota still ends when it did: whoever prolongs it wins. */
export async function carryOutExpiry(
  table: Table,
  expiring: ExpiringQuota,
  plan: ExpiryPlan,
  now: Date,
): Promise<void> {
  try {
    await writeTransaction(table, listSteps(expiring, plan, now));
  } catch (error) {
    if (!(error instanceof QuotaChangedError)) throw error;
  }
}

function listSteps(expiring: ExpiringQuota, plan: ExpiryPlan, now: Date): Step[] {
  switch (plan.act) {
    case 'leave':
      return [changeExpiring(expiring, plan.dueAgain)];
    case 'warn':
      // The table's stream makes an event of it, once, for it is written once.
      return [
        changeExpiring(expiring, plan.dueAgain, {
          sets: ['expiry_warned = :stage'],
          values: { ':stage': plan.stage },
        }),
      ];
    case 'take-back':
      return [
        changeExpiring(expiring, plan.dueAgain, takeBack(expiring, plan.left)),
        tellOfEnd(expiring.quota, plan, now),
      ];
  }
}

type TakeBack = Extract<ExpiryPlan, { act: 'take-back' }>;

interface Change {
  readonly sets?: readonly string[];
  readonly conditions?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

function changeExpiring(
  { quota, dueAt }: ExpiringQuota,
  dueAgain: Date | undefined,
  { sets = [], conditions = [], values = {} }: Change = {},
): Step {
  const { validUntil } = quota;
  const allSets = [...sets, ...(dueAgain ? ['due_at = :again'] : [])];
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(accountOf(quota)),
        UpdateExpression: [
          ...(allSets.length > 0 ? [`SET ${allSets.join(', ')}`] : []),
          ...(dueAgain ? [] : ['REMOVE #due, due_at']),
        ].join(' '),
        ConditionExpression: [
          'due_at = :seen',
          validUntil ? 'valid_until = :end' : 'attribute_not_exists(valid_until)',
          ...conditions,
        ].join(' AND '),
        ...(!dueAgain && { ExpressionAttributeNames: { '#due': 'due' } }),
        ExpressionAttributeValues: {
          ':seen': dueAt,
          ...(validUntil && { ':end': validUntil.toISOString() }),
          ...(dueAgain && { ':again': dueAgain.toISOString() }),
          ...values,
        },
      },
    }),
    refuse: () => new QuotaChangedError(),
  };
}

/** What is left was granted, and is so no more: left and granted fall by the same amount. */
function takeBack({ quota: { time, space } }: ExpiringQuota, left: Amount): Change {
  return {
    sets: [
      'time_granted = time_granted - :seconds',
      'time_left = time_left - :seconds',
      'space_granted = space_granted - :kilobytes',
      'space_left = space_left - :kilobytes',
    ],
    conditions: ['time_left = :time_left', 'space_left = :space_left'],
    values: {
      ':seconds': left.seconds,
      ':kilobytes': left.kilobytes,
      ':time_left': time.left,
      ':space_left': space.left,
    },
  };
}

function tellOfEnd(quota: Quota, { left, endedAt }: TakeBack, now: Date): Step {
  return writeLedgerLine({
    ...accountOf(quota),
    kind: 'expiry',
    seconds: -left.seconds,
    kilobytes: -left.kilobytes,
    at: now,
    by: 'slipway',
    reason: `valid until ${endedAt.toISOString()}`,
  });
}
