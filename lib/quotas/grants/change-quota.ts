import { isDeepStrictEqual } from 'node:util';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { changeOf } from '#lib/table/change.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import { dueKeysOf, type QuotaCalendar } from '../calendar.ts';
import { AccountChangedError, GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import {
  type Amount,
  accountOf,
  addUp,
  type Balance,
  isNothing,
  mostGranted,
  nothing,
  type Quota,
} from '../quota.ts';
import { calendarToItem } from '../quota-item.ts';
import { nextRenewal } from '../renewal.ts';
import { addToShare, expectShare } from '../shares/share.ts';

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
  /** The part of `added` that comes from the project's budget, or goes back to it. */
  readonly share?: Amount | undefined;
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
  project: ProjectKey & { readonly user?: UserId },
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

/** Returns the account as a planned change leaves it, if no job holds or settles meanwhile. */
export function applyChange(
  before: Quota,
  { added, share, validUntil, renewal }: PlannedChange,
): Quota {
  return {
    ...before,
    time: changeBalance(before.time, added.seconds),
    space: changeBalance(before.space, added.kilobytes),
    validUntil,
    renewal,
    ...(share && { share: addUp([before.share ?? nothing, share]) }),
  };
}

function changeBalance(balance: Balance, added: number): Balance {
  return { ...balance, granted: balance.granted + added, left: balance.left + added };
}

/**
 * Writes a planned change to the account as it was read. Jobs may hold and settle meanwhile. They
 * change neither the grant nor the calendar, and the condition on `left` covers them.
 */
export function changeQuota(before: Quota, planned: PlannedChange, at: Date): Step {
  const { seconds, kilobytes } = planned.added;
  const isSame = isSameCalendar(before, planned);
  const { valid_until, ...renewal } = calendarToItem(before);
  return {
    Update: changeOf(quotaKey(accountOf(before)), {
      set: isSame ? {} : changeCalendar(before, planned, at),
      add: {
        time_granted: seconds,
        time_left: seconds,
        space_granted: kilobytes,
        space_left: kilobytes,
        ...addToShare(planned.share),
      },
      expect: {
        id: before.id,
        ...(planned.share && expectShare(before)),
        time_granted: before.time.granted,
        space_granted: before.space.granted,
        valid_until,
        // A new due date is computed from the renewal.
        ...(!isSame && renewal),
      },
      when: ['time_left >= :least_time', 'space_left >= :least_space'],
      values: {
        ':least_time': Math.max(0, -seconds),
        ':least_space': Math.max(0, -kilobytes),
      },
    }),
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

function hasEnded(validUntil: Date | undefined, at: Date): boolean {
  return validUntil !== undefined && validUntil <= at;
}

/**
 * Lists the attributes that change with the end and the renewal. A new end starts its warnings
 * again, and a new renewal date is announced again. What does not change keeps its warnings.
 *
 * A quota that has already ended keeps its due date: a new one would take back what was granted
 * since.
 */
function changeCalendar(before: Quota, wanted: QuotaCalendar, at: Date): Attributes {
  const [old, next] = [calendarToItem(before), calendarToItem(wanted)];
  const neverDue = { due: undefined, due_at: undefined };
  return {
    ...next,
    ...(!hasEnded(wanted.validUntil, at) && (dueKeysOf(before.id, wanted, at) ?? neverDue)),
    ...(old.valid_until !== next.valid_until && { expiry_warned: undefined }),
    ...(old.renews_next !== next.renews_next && { renewal_announced: undefined }),
  };
}
