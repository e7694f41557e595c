import { isDeepStrictEqual } from 'node:util';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import { dueKeysOf, type QuotaCalendar } from '../calendar.ts';
import { AccountChangedError, GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import { type Amount, accountOf, isNothing, mostGranted, type Quota } from '../quota.ts';
import { renewalToItem } from '../quota-item.ts';
import { nextRenewal } from '../renewal.ts';

/** An administrator's change of a quota. What it does not name stays as it is. */
export interface QuotaChange extends CalendarChange {
  readonly amounts?:
    | {
        /** `set` replaces the granted amounts, `add` adds to them. */
        readonly mode: 'set' | 'add';
        readonly seconds?: number | undefined;
        readonly kilobytes?: number | undefined;
      }
    | undefined;
}

/** A change applied to one account: what is added to its grant, and its new calendar. */
export interface PlannedChange extends QuotaCalendar {
  readonly added: Amount;
}

type Balances = Pick<Quota, 'time' | 'space' | 'activeJobs'> & QuotaCalendar;

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
  return isNothing(planned.added) && isSameCalendar(balances, planned);
}

/**
 * Returns why a change is refused, if it is. `granted` and `left` change by the same amount, and
 * `left` must not become negative.
 */
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

/**
 * Returns true if the change takes anything away, which makes it a correction instead of a grant.
 */
export function takesAway({ added }: PlannedChange): boolean {
  return added.seconds < 0 || added.kilobytes < 0;
}

/**
 * Writes a planned change to the account as it was read. Jobs may hold and settle meanwhile. They
 * change neither the grant nor the calendar, and the condition on `left` covers them.
 */
export function changeQuota(before: Quota, planned: PlannedChange, at: Date): Step {
  const { added } = planned;
  const calendar = changeCalendar(before, planned, at);
  return {
    Update: {
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
    refuse: () => new AccountChangedError(),
  };
}

/** An administrator's change of a quota's end and renewal. What it does not name stays as it is. */
interface CalendarChange {
  /** Undefined keeps the end, null removes it. */
  readonly validUntil?: Date | null | undefined;
  /** Undefined keeps the renewal, null removes it. */
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
  // A quota that is extended after its end does not make up for missed renewals.
  const resumes = hasEnded(before.validUntil, at) && !hasEnded(end, at);
  const kept = resumes ? undefined : keepMoment(before.renewal, rule);
  return { validUntil: end, renewal: { rule, next: kept ?? nextRenewal(rule, at) } };
}

function isSameCalendar(one: QuotaCalendar, other: QuotaCalendar): boolean {
  return (
    one.validUntil?.getTime() === other.validUntil?.getTime() &&
    isDeepStrictEqual(one.renewal, other.renewal)
  );
}

/**
 * Keeps the next moment if only amounts change, even a moment in the past that waits for a sweep. A
 * change must neither skip a renewal nor cause it twice.
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

/** A part of an update. */
interface CalendarUpdate {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Updates the end and the renewal. A new end starts its warnings again, and a new renewal date is
 * announced again. What does not change keeps its warnings.
 *
 * A quota that has already ended keeps its due date: a new one would take back what was granted
 * since.
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

/** Requires the renewal that the new due date was computed from. */
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

/** Lists the attributes to remove unless they are set. */
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
