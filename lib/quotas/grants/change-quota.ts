import { quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { AccountChangedError } from '../account-changed-error.ts';
import { expiryKeys } from '../expiry/expiry-keys.ts';
import { accountOf, type Quota } from '../quota.ts';
import type { PlannedChange } from './plan-change.ts';

/**
 * Writes what was planned for the account as it was read. Jobs may hold and settle in between: they
 * change neither its grant nor its end, and the condition on what is left holds whatever they do.
 */
export function changeQuota(before: Quota, planned: PlannedChange, at: Date): Step {
  const { added } = planned;
  const end = changeEnd(before, planned.validUntil, at);
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(accountOf(before)),
        UpdateExpression:
          'ADD time_granted :time, time_left :time, space_granted :space, space_left :space' +
          end.update,
        ConditionExpression:
          `id = :id AND time_granted = :time_granted AND space_granted = :space_granted AND ` +
          `time_left >= :least_time AND space_left >= :least_space AND ${end.condition}`,
        ExpressionAttributeValues: {
          ':id': before.id,
          ':time': added.seconds,
          ':space': added.kilobytes,
          ':time_granted': before.time.granted,
          ':space_granted': before.space.granted,
          ':least_time': Math.max(0, -added.seconds),
          ':least_space': Math.max(0, -added.kilobytes),
          ...end.values,
        },
      },
    }),
    refuse: () => new AccountChangedError(),
  };
}

interface Part {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A new end begins its warnings anew; an end that stays is left alone, and so are its warnings. */
function changeEnd(before: Quota, validUntil: Date | undefined, at: Date): Part {
  const stored = before.validUntil?.toISOString();
  const wanted = validUntil?.toISOString();
  const condition =
    stored === undefined ? 'attribute_not_exists(valid_until)' : 'valid_until = :valid_until';
  const values = { ...(stored !== undefined && { ':valid_until': stored }) };
  if (stored === wanted) return { update: '', condition, values };
  if (validUntil === undefined) {
    return { update: ' REMOVE valid_until, due, due_at, expiry_warned', condition, values };
  }
  const { due, due_at } = expiryKeys(before.id, validUntil, at);
  return {
    update: ' SET valid_until = :end, due = :due, due_at = :due_at REMOVE expiry_warned',
    condition,
    values: { ...values, ':end': validUntil.toISOString(), ':due': due, ':due_at': due_at },
  };
}

/** Only as it was read: what was left of it is in the ledger line that goes along. */
export function deleteQuota(quota: Quota): Step {
  return {
    write: (tableName) => ({
      Delete: {
        TableName: tableName,
        Key: quotaKey(accountOf(quota)),
        ConditionExpression:
          'id = :id AND time_left = :time_left AND space_left = :space_left AND ' +
          'time_held = :none AND space_held = :none AND living_jobs = :none',
        ExpressionAttributeValues: {
          ':id': quota.id,
          ':time_left': quota.time.left,
          ':space_left': quota.space.left,
          ':none': 0,
        },
      },
    }),
    refuse: () => new AccountChangedError(),
  };
}
