import type { Amount, Balance, Quota } from './quota.ts';

/** A quota, what its jobs hold, and what its ledger adds up to. */
export interface AccountFacts {
  readonly quota: Quota;
  readonly holds: JobHolds;
  /** The sum of all lines, which should equal `left`. */
  readonly ledger: Amount;
}

/** Time is held while a job is active, space until the job is cancelled or deleted. */
export interface JobHolds extends Amount {
  readonly activeJobs: number;
}

export interface Drift {
  readonly kind: DriftKind;
  readonly words: string;
  /** What the quota says, and what it should say. */
  readonly found: number;
  readonly expected: number;
}

type DriftKind = 'sum' | 'orphaned-hold' | 'missing-hold' | 'living-jobs' | 'ledger';

/** Lists everything in an account that does not agree. */
export function checkAccount({ quota, holds, ledger }: AccountFacts): Drift[] {
  return [
    ...checkBalance(quota.time, { held: holds.seconds, ledger: ledger.seconds, unit: 'seconds' }),
    ...checkBalance(quota.space, {
      held: holds.kilobytes,
      ledger: ledger.kilobytes,
      unit: 'kilobytes',
    }),
    ...checkActiveJobs(quota.activeJobs, holds.activeJobs),
  ];
}

interface Expected {
  readonly held: number;
  readonly ledger: number;
  readonly unit: string;
}

function checkBalance(balance: Balance, { held, ledger, unit }: Expected): Drift[] {
  return [
    ...checkSum(balance, unit),
    ...checkHeld(balance.held, held, unit),
    ...checkLedger(balance.left, ledger, unit),
  ];
}

function checkSum({ granted, left, held, used }: Balance, unit: string): Drift[] {
  const sum = left + held + used;
  if (sum === granted) return [];
  const words = `${granted} ${unit} are granted, but ${left} left, ${held} held and ${used} used add up to ${sum}`;
  return [{ kind: 'sum', words, found: sum, expected: granted }];
}

function checkHeld(found: number, expected: number, unit: string): Drift[] {
  if (found === expected) return [];
  const both = `${found} ${unit} are held, but the jobs hold ${expected}`;
  return found > expected
    ? [
        {
          kind: 'orphaned-hold',
          words: `${both}, so ${found - expected} belong to no job`,
          found,
          expected,
        },
      ]
    : [
        {
          kind: 'missing-hold',
          words: `${both}, so ${expected - found} are missing`,
          found,
          expected,
        },
      ];
}

function checkLedger(found: number, expected: number, unit: string): Drift[] {
  if (found === expected) return [];
  const words = `${found} ${unit} are left, but the ledger adds up to ${expected}`;
  return [{ kind: 'ledger', words, found, expected }];
}

function checkActiveJobs(found: number, expected: number): Drift[] {
  if (found === expected) return [];
  const words = `${found} active jobs are counted, but there are ${expected}`;
  return [{ kind: 'living-jobs', words, found, expected }];
}

/** The changes that end all drift. The granted amount never changes. */
export interface Repair {
  readonly drifts: readonly Drift[];
  readonly before: Numbers;
  readonly after: Numbers;
  /** The ledger line that makes the ledger add up to the new `left`. */
  readonly correction: Amount;
}

export type Numbers = Pick<Quota, 'time' | 'space' | 'activeJobs'>;

/** Plans a repair, or returns undefined if nothing drifts. The rules are in docs/decisions/0024. */
export function planRepair(facts: AccountFacts): Repair | undefined {
  const drifts = checkAccount(facts);
  if (drifts.length === 0) return undefined;
  const { quota, holds, ledger } = facts;
  const { time, space, activeJobs } = quota;
  const newTime = mendBalance(time, holds.seconds, ledger.seconds);
  const newSpace = mendBalance(space, holds.kilobytes, ledger.kilobytes);
  return {
    drifts,
    before: { time, space, activeJobs },
    after: { time: newTime, space: newSpace, activeJobs: holds.activeJobs },
    correction: {
      seconds: newTime.left - ledger.seconds,
      kilobytes: newSpace.left - ledger.kilobytes,
    },
  };
}

/**
 * Takes `held` from the jobs and `left` from the ledger; the rest is `used`. A hold without a job
 * goes back to `left`, and a missing hold is taken from `left`. The exception is an account whose
 * sum is off by exactly that much: then only `held` was written wrongly, and `left` was never
 * changed.
 */
function mendBalance(balance: Balance, held: number, ledgerSum: number): Balance {
  const { granted } = balance;
  const excess = balance.held - held;
  const gap = balance.left + balance.held + balance.used - granted;
  const wanted = ledgerSum + (gap === excess ? 0 : excess);
  const rest = granted - held;
  // Not below 0, unless jobs hold more than was granted. That debt lasts until they end.
  const left = Math.max(Math.min(0, rest), Math.min(rest, wanted));
  return { granted, left, held, used: rest - left };
}
