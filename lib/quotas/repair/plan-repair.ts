import type { Amount, Balance, Quota } from '../quota.ts';
import { type AccountFacts, checkAccount, type Drift } from './check-account.ts';

/** What to write so that nothing drifts any more. What was granted stays as it is. */
export interface Repair {
  readonly drifts: readonly Drift[];
  readonly before: Numbers;
  readonly after: Numbers;
  /** What the ledger needs, to add up to what is left then. */
  readonly correction: Amount;
}

/** All of a quota that a repair may change, and what was granted. */
export type Numbers = Pick<Quota, 'time' | 'space' | 'livingJobs'>;

/** Nothing where nothing drifts. The rule and its reasons: docs/decisions/0024. */
export function planRepair(facts: AccountFacts): Repair | undefined {
  const drifts = checkAccount(facts);
  if (drifts.length === 0) return undefined;
  const { quota, holds, ledger } = facts;
  const { time, space, livingJobs } = quota;
  const newTime = mendBalance(time, holds.seconds, ledger.seconds);
  const newSpace = mendBalance(space, holds.kilobytes, ledger.kilobytes);
  return {
    drifts,
    before: { time, space, livingJobs },
    after: { time: newTime, space: newSpace, livingJobs: holds.livingJobs },
    correction: {
      seconds: newTime.left - ledger.seconds,
      kilobytes: newSpace.left - ledger.kilobytes,
    },
  };
}

/**
 * The jobs say what is held, the ledger what is left, and what was used is the rest. A hold that no
 * job has goes back to what is left, and one that is missing is taken from it, unless the account
 * is out by just that much: then it was written wrongly, and nothing was ever taken.
 */
function mendBalance(balance: Balance, held: number, ledgerSum: number): Balance {
  const { granted } = balance;
  const excess = balance.held - held;
  const gap = balance.left + balance.held + balance.used - granted;
  const wanted = ledgerSum + (gap === excess ? 0 : excess);
  const rest = granted - held;
  // Nothing below 0, but for jobs that hold more than was granted: those are owed until they end.
  const left = Math.max(Math.min(0, rest), Math.min(rest, wanted));
  return { granted, left, held, used: rest - left };
}
