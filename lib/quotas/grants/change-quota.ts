import { isDeepStrictEqual } from 'node:util';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { dueKeysOf, type QuotaCalendar } from '../calendar.ts';
import { AccountChangedError, GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import { type Amount, accountOf, mostGranted, type Quota } from '../quota.ts';
import { nextRenewal } from '../renewal.ts';
import { renewalToItem } from '../renewal-item.ts';

/** What an administrator wants of a quota; what is not named stays as it is. */
export interface QuotaChange extends CalendarChange {
  readonly amounts?:
    | {
        /** Whether the numbers are what is granted from now on, or what is added to it. */
        readonly mode: 'set' | 'add';
        readonly seconds?: number | undefined;
        readonly kilobytes?: number | undefined;
      }
    | undefined;
}

/** What a change comes to for one account: what is added to its grant, and its calendar then. */
export interface PlannedChange extends QuotaCalendar {
  readonly added: Amount;
}

/** What of a quota a change is planned by. */
type Balances = Pick<Quota, 'time' | 'space' | 'livingJobs'> & QuotaCalendar;

export function planChange(balances: Balances, change: QuotaChange, at: Date): PlannedChange {
  const { amounts } = change;
  const added = (wanted: number | undefined, granted: number) =>
    wanted === undefined ? 0 : amounts?.mode === 'set' ? wanted - granted : wanted;
  return {
    added: {
      seconds: added(amounts?.seconds, balances.time.granted),
      kilobytes: added(amounts?.kilobytes, balances.space.granted),
    },
    ...planCalendar(balances, change, at),
  };
}

export function changesNothing(balances: Balances, planned: PlannedChange): boolean {
  const { seconds, kilobytes } = planned.added;
  return seconds === 0 && kilobytes === 0 && isSameCalendar(balances, planned);
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
 * change neither its grant nor its calendar, and the condition on what is left holds whatever they do.
 */
export function changeQuota(before: Quota, planned: PlannedChange, at: Date): Step {
  const { added } = planned;
  const calendar = changeCalendar(before, planned, at);
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: quotaKey(accountOf(before)),
        UpdateExpression:
          'ADD time_granted :time, time_left :time, space_granted :space, space_left :space' +
          calendar.update,
        ConditionExpression:
          'id = :id AND time_granted = :time_granted AND space_granted = :space_granted AND ' +
          `time_left >= :least_time AND space_left >= :least_space AND ${calendar.condition}`,
        ExpressionAttributeValues: {
          ':id': before.id,
          ':time': added.seconds,
          ':space': added.kilobytes,
          ':time_granted': before.time.granted,
          ':space_granted': before.space.granted,
          ':least_time': Math.max(0, -added.seconds),
          ':least_space': Math.max(0, -added.kilobytes),
          ...calendar.values,
        },
      },
    }),
    refuse: () => new AccountChangedError(),
  };
}

/** What an administrator wants of a quota's end and renewal; what is not named stays as it is. */
interface CalendarChange {
  /** Nothing where the end stays; null where there is none from now on. */
  readonly validUntil?: Date | null | undefined;
  /** Nothing where it renews as before, or does not; null where it does not from now on. */
  readonly renews?: Renewal | null | undefined;
}

export function planCalendar(
  before: QuotaCalendar,
  { validUntil, renews }: CalendarChange,
  at: Date,
): QuotaCalendar {
  const end = validUntil === undefined ? before.validUntil : (validUntil ?? undefined);
  const rule = renews === undefined ? before.renewal?.rule : renews;
  if (!rule) return { validUntil: end, renewal: undefined };
  // What is prolonged after its end does not make up for renewals in between.
  const resumes = hasEnded(before.validUntil, at) && !hasEnded(end, at);
  const kept = resumes ? undefined : keepMoment(before.renewal, rule);
  return { validUntil: end, renewal: { rule, next: kept ?? nextRenewal(rule, at) } };
}

export function isSameCalendar(one: QuotaCalendar, other: QuotaCalendar): boolean {
  return (
    one.validUntil?.getTime() === other.validUntil?.getTime() &&
    isDeepStrictEqual(one.renewal, other.renewal)
  );
}

/**
 * Where amounts alone change, the next moment stays, even one that has come and waits for the
 * clock: a change must neither skip a renewal nor bring one about twice.
 */
function keepMoment(renewal: QuotaCalendar['renewal'], rule: Renewal): Date | undefined {
  if (!renewal) return undefined;
  const { every, on, month } = renewal.rule;
  const isSame = every === rule.every && on === rule.on && month === rule.month;
  return isSame ? renewal.next : undefined;
}

export function hasEnded(validUntil: Date | undefined, at: Date): boolean {
  return validUntil !== undefined && validUntil <= at;
}

/** Part of an update. */
interface CalendarUpdate {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A new end begins its warnings anew, and a new moment of renewal is announced anew. What stays is
 * left alone, and so is what was told of it. A quota that has ended is due as it was, or no more:
 * what was granted to it since must not be taken back because its renewal changes.
 */
function changeCalendar(before: Quota, wanted: QuotaCalendar, at: Date): CalendarUpdate {
  const end = keepEnd(before);
  if (isSameCalendar(before, wanted)) return { update: '', ...end };
  const renewal = keepRenewal(before);
  const set = setCalendar(before.id, wanted, at);
  const names = Object.keys(set);
  const removed = listRemoved(before, wanted, at).filter((name) => !names.includes(name));
  return {
    update: [
      ...(names.length > 0
        ? [` SET ${names.map((name) => `${name} = :new_${name}`).join(', ')}`]
        : []),
      ...(removed.length > 0 ? [` REMOVE ${removed.join(', ')}`] : []),
    ].join(''),
    condition: `${end.condition} AND ${renewal.condition}`,
    values: {
      ...end.values,
      ...renewal.values,
      ...Object.fromEntries(names.map((name) => [`:new_${name}`, set[name]])),
    },
  };
}

function keepEnd({ validUntil }: Quota): Omit<CalendarUpdate, 'update'> {
  return validUntil
    ? {
        condition: 'valid_until = :valid_until',
        values: { ':valid_until': validUntil.toISOString() },
      }
    : { condition: 'attribute_not_exists(valid_until)', values: {} };
}

/** The next moment that the quota is due is worked out from the renewal that was read. */
function keepRenewal({ renewal }: Quota): Omit<CalendarUpdate, 'update'> {
  return renewal
    ? {
        condition: 'renews_next = :renewal AND renews = :rule',
        values: {
          ':renewal': renewal.next.toISOString(),
          ':rule': renewalToItem(renewal.rule),
        },
      }
    : { condition: 'attribute_not_exists(renews_next)', values: {} };
}

function setCalendar(id: number, wanted: QuotaCalendar, at: Date): Record<string, unknown> {
  const { validUntil, renewal } = wanted;
  return {
    ...(validUntil && { valid_until: validUntil.toISOString() }),
    ...(renewal && {
      renews: renewalToItem(renewal.rule),
      renews_next: renewal.next.toISOString(),
    }),
    ...(!hasEnded(validUntil, at) && dueKeysOf(id, wanted, at)),
  };
}

/** Of these, what is not set goes. */
function listRemoved(before: Quota, wanted: QuotaCalendar, at: Date): string[] {
  const endChanges = before.validUntil?.getTime() !== wanted.validUntil?.getTime();
  const momentChanges = !isDeepStrictEqual(before.renewal?.next, wanted.renewal?.next);
  return [
    'valid_until',
    'renews',
    'renews_next',
    ...(hasEnded(wanted.validUntil, at) ? [] : ['due', 'due_at']),
    ...(endChanges ? ['expiry_warned'] : []),
    ...(momentChanges ? ['renewal_announced'] : []),
  ];
}
