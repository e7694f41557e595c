import type { Detail, Fact } from '#lib/audit/act.ts';
import type { Renewal, RenewalCalendar, RenewalPeriod } from '#lib/catalog/renewal.ts';
import { type Amount, type Balance, mostGranted, type Quota } from './quota.ts';

const monthsBetween: Record<RenewalPeriod, number> = { monthly: 1, quarterly: 3, yearly: 12 };

/**
 * Returns the first renewal strictly after a moment. Renewals that were missed in between are
 * skipped and not made up for.
 */
export function nextRenewal({ every, on, month }: RenewalCalendar, after: Date): Date {
  const step = monthsBetween[every];
  const year = after.getUTCFullYear();
  const thisMonth = after.getUTCMonth() + 1;
  // Months since the last month of renewal. The 12 keeps JavaScript's remainder from being negative.
  const passed = (thisMonth - month + 12) % step;
  const inMonth = (number: number) => new Date(Date.UTC(year, number - 1, on));
  const candidate = inMonth(thisMonth - passed);
  return candidate > after ? candidate : inMonth(thisMonth - passed + step);
}

export interface RenewalAmounts {
  /** Taken back from what remained. */
  readonly lapsed: Amount;
  /** Kept from what remained. */
  readonly carriedOver: Amount;
  readonly granted: Amount;
  /** Remaining after the renewal. */
  readonly left: Amount;
}

/**
 * Computes a renewal: what remains lapses except for the part that is carried over, then the
 * account is filled to the rule's amount plus that part. Jobs keep their holds, and what they give
 * back later belongs to the new period.
 */
export function computeRenewal(
  { time, space }: Pick<Quota, 'time' | 'space'>,
  { to, carryOver }: Pick<Renewal, 'to' | 'carryOver'>,
): RenewalAmounts {
  const seconds = renewBalance(time, to.seconds, carryOver.seconds);
  const kilobytes = renewBalance(space, to.kilobytes, carryOver.kilobytes);
  const both = (part: keyof typeof seconds): Amount => ({
    seconds: seconds[part],
    kilobytes: kilobytes[part],
  });
  return {
    lapsed: both('lapsed'),
    carriedOver: both('carriedOver'),
    granted: both('granted'),
    left: both('left'),
  };
}

/** After a repair, `left` may be negative. The new period does not inherit that debt. */
function renewBalance({ granted, left }: Balance, to: number, mostCarried: number) {
  const carriedOver = Math.min(Math.max(0, left), mostCarried);
  const lapsed = Math.max(0, left - carriedOver);
  const kept = left - lapsed;
  const room = mostGranted - (granted - lapsed);
  const filled = Math.min(to + carriedOver - kept, room);
  return { lapsed, carriedOver, granted: filled, left: kept + filled };
}

/**
 * Describes for the audit how a renewal changed. Besides the sentence it gives each fact, so
 * clients do not have to parse numbers out of text. Empty if nothing changed.
 */
export function describeRenewalChange(
  before: Renewal | undefined,
  after: Renewal | undefined,
): Record<string, Detail> {
  const [old, wanted] = [before, after].map((rule) => (rule ? listFacts(rule) : {}));
  const changes = Object.keys({ ...old, ...wanted }).map((name) => {
    return [name, { before: old?.[name] ?? null, after: wanted?.[name] ?? null }] as const;
  });
  return changes.some(([, change]) => change.before !== change.after)
    ? Object.fromEntries(changes)
    : {};
}

function listFacts(rule: Renewal): Readonly<Record<string, Fact>> {
  const { every, on, month, to, carryOver } = rule;
  return {
    renews: describeRule(rule),
    renews_every: every,
    renews_on: on,
    ...(every !== 'monthly' && { renews_month: month }),
    renews_time: to.seconds,
    renews_space: to.kilobytes,
    carries_over_time: carryOver.seconds,
    carries_over_space: carryOver.kilobytes,
  };
}

function describeRule({ every, on, month, to, carryOver }: Renewal): string {
  const start = every === 'monthly' ? '' : ` from month ${month}`;
  return (
    `${every}${start} on day ${on} to ${to.seconds} seconds and ${to.kilobytes} kilobytes, ` +
    `carrying over up to ${carryOver.seconds} seconds and ${carryOver.kilobytes} kilobytes`
  );
}
