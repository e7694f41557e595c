import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { AccountChangedError, GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import { expiryKeys } from '../expiry/expiring-quota.ts';
import { type Amount, accountOf, type Quota } from '../quota.ts';

/** What an administrator wants of a quota; what is not named stays as it is. */
export interface QuotaChange {
  readonly amounts?:
    | {
        /** Whether the numbers are what is granted from now on, or what is added to it. */
        readonly mode: 'set' | 'add';
        readonly seconds?: number | undefined;
        readonly kilobytes?: number | undefined;
      }
    | undefined;
  /** Nothing where the end stays; null where there is none from now on. */
  readonly validUntil?: Date | null | undefined;
}

/** What a change comes to for one account: what is added to its grant, and its end afterwards. */
export interface PlannedChange {
  readonly added: Amount;
  readonly validUntil: Date | undefined;
}

/** What of a quota a change is planned by. */
type Balances = Pick<Quota, 'time' | 'space' | 'livingJobs' | 'validUntil'>;

/** Sums of a few such numbers are still exact in a double. */
export const mostGranted = 1_000_000_000_000_000;

export function planChange(
  balances: Balances,
  { amounts, validUntil }: QuotaChange,
): PlannedChange {
  const added = (wanted: number | undefined, granted: number) =>
    wanted === undefined ? 0 : amounts?.mode === 'set' ? wanted - granted : wanted;
  return {
    added: {
      seconds: added(amounts?.seconds, balances.time.granted),
      kilobytes: added(amounts?.kilobytes, balances.space.granted),
    },
    validUntil: validUntil === undefined ? balances.validUntil : (validUntil ?? undefined),
  };
}

export function changesNothing(balances: Balances, { added, validUntil }: PlannedChange): boolean {
  return (
    added.seconds === 0 &&
    added.kilobytes === 0 &&
    validUntil?.getTime() === balances.validUntil?.getTime()
  );
}

/** What is granted and what is left change by the same, and nothing is left below 0. */
export function judgeChange(
  project: ProjectKey,
  balances: Balances,
  { added }: PlannedChange,
): QuotaInUseError | GrantTooLargeError | undefined {
  const { time, space } = balances;
  if (time.left + added.seconds < 0 || space.left + added.kilobytes < 0) {
    return new QuotaInUseError('lower', project, balances);
  }
  const tooLarge =
    time.granted + added.seconds > mostGranted || space.granted + added.kilobytes > mostGranted;
  return tooLarge ? new GrantTooLargeError(project, mostGranted) : undefined;
}

/** Whether anything is taken away: that is a correction, and no grant. */
export function takesAway({ added }: PlannedChange): boolean {
  return added.seconds < 0 || added.kilobytes < 0;
}

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
          'id = :id AND time_granted = :time_granted AND space_granted = :space_granted AND ' +
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
