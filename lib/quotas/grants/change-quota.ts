import { type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import type { QuotaCalendar } from '../calendar/due-moments.ts';
import { AccountChangedError, GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import { type Amount, accountOf, mostGranted, type Quota } from '../quota.ts';
import { changeCalendar } from './change-calendar.ts';
import { type CalendarChange, isSameCalendar, planCalendar } from './plan-calendar.ts';

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
