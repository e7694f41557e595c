import { roundUp } from '#lib/time/round-up.ts';
import type { Hold } from '../quota.ts';

/** What becomes of held seconds at the end of a job: used + returned = held, always. */
export interface Settlement {
  readonly used: number;
  readonly returned: number;
}

/**
 * The share of the hold that the job's clock has run through. The hold was the charge for all of
 * the granted time, so the charging rule is in it already; nobody is charged more than was held.
 */
export function computeSettlement(
  hold: Hold,
  grantedHours: number,
  ranSeconds: number,
): Settlement {
  const share = Math.max(0, ranSeconds) / (grantedHours * 3600);
  const used = Math.min(hold.seconds, roundUp(hold.seconds * share));
  return { used, returned: hold.seconds - used };
}
