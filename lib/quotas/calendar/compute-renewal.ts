import type { Renewal } from '#lib/catalog/renewal.ts';
import { type Amount, type Balance, mostGranted, type Quota } from '../quota.ts';

/** What a renewal does to an account. */
export interface RenewalOutcome {
  /** Of what is left: what is taken back, and what is kept. */
  readonly lapsed: Amount;
  readonly carriedOver: Amount;
  /** What is granted. */
  readonly granted: Amount;
  /** What is left then. */
  readonly left: Amount;
}

/**
 * What is left lapses but for what is carried over, and the account is filled to what the rule says
 * and that. What jobs hold is theirs: what they give back later is of the new period.
 */
export function computeRenewal(
  { time, space }: Pick<Quota, 'time' | 'space'>,
  { to, carryOver }: Pick<Renewal, 'to' | 'carryOver'>,
): RenewalOutcome {
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

/** Less than nothing may be left, after a repair: that is no debt for the new period. */
function renewBalance({ granted, left }: Balance, to: number, mostCarried: number) {
  const carriedOver = Math.min(Math.max(0, left), mostCarried);
  const lapsed = Math.max(0, left - carriedOver);
  const kept = left - lapsed;
  const room = mostGranted - (granted - lapsed);
  const filled = Math.min(to + carriedOver - kept, room);
  return { lapsed, carriedOver, granted: filled, left: kept + filled };
}
