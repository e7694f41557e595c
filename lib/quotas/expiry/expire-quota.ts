import { quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { AccountChangedError } from '../errors.ts';
import { writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, type Quota } from '../quota.ts';
import type { ExpiringQuota } from './expiring-quota.ts';
import type { ExpiryPlan } from './plan-expiry.ts';

/**
 * Carries out what was planned, on condition that the quota still ends when it did: whoever
 * prolongs it wins. Where somebody prolonged or used it since it was read, the next sweep sees.
 */
export async function expireQuota(
  table: Table,
  expiring: ExpiringQuota,
  plan: ExpiryPlan,
  now: Date,
): Promise<void> {
  try {
    await writeTransaction(table, listSteps(expiring, plan, now));
  } catch (error) {
    if (!(error instanceof AccountChangedError)) throw error;
  }
}

function listSteps(expiring: ExpiringQuota, plan: ExpiryPlan, now: Date): Step[] {
  switch (plan.kind) {
    case 'wait':
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
        writeExpiryLine(expiring.quota, plan, now),
      ];
  }
}

type TakeBack = Extract<ExpiryPlan, { kind: 'take-back' }>;

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
    refuse: () => new AccountChangedError(),
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

function writeExpiryLine(quota: Quota, { left, endedAt }: TakeBack, now: Date): Step {
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
