import type { ProjectKey } from '#lib/table/keys.ts';
import { GrantTooLargeError, QuotaInUseError } from '../errors.ts';
import type { Amount, Quota } from '../quota.ts';

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

export function planChange(account: Balances, { amounts, validUntil }: QuotaChange): PlannedChange {
  const added = (wanted: number | undefined, granted: number) =>
    wanted === undefined ? 0 : amounts?.mode === 'set' ? wanted - granted : wanted;
  return {
    added: {
      seconds: added(amounts?.seconds, account.time.granted),
      kilobytes: added(amounts?.kilobytes, account.space.granted),
    },
    validUntil: validUntil === undefined ? account.validUntil : (validUntil ?? undefined),
  };
}

export function changesNothing(account: Balances, { added, validUntil }: PlannedChange): boolean {
  return (
    added.seconds === 0 &&
    added.kilobytes === 0 &&
    validUntil?.getTime() === account.validUntil?.getTime()
  );
}

/** What is granted and what is left change by the same, and nothing is left below 0. */
export function judgeChange(
  place: ProjectKey,
  account: Balances,
  { added }: PlannedChange,
): Error | undefined {
  const { time, space } = account;
  if (time.left + added.seconds < 0 || space.left + added.kilobytes < 0) {
    return new QuotaInUseError('lower', place, account);
  }
  const tooLarge =
    time.granted + added.seconds > mostGranted || space.granted + added.kilobytes > mostGranted;
  return tooLarge ? new GrantTooLargeError(place, mostGranted) : undefined;
}

/** Whether anything is taken away: that is a correction, and no grant. */
export function takesAway({ added }: PlannedChange): boolean {
  return added.seconds < 0 || added.kilobytes < 0;
}

/** Whether jobs still need a quota, so that it cannot go: living ones, or ended ones for their files. */
export function isInUse({ time, space, livingJobs }: Balances): boolean {
  return time.held > 0 || space.held > 0 || livingJobs > 0;
}
