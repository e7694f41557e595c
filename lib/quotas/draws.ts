import { changeOf } from '#lib/table/change.ts';
import { type AccountKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import { NoBudgetError, QuotaExceededError, QuotaExpiredError } from './errors.ts';
import {
  countJobs,
  type HoldRules,
  holdQuota,
  holdSpace,
  type SettledHold,
  settleQuota,
} from './holds.ts';
import { type Amount, budgetOf, type Hold, nothing, type Quota } from './quota.ts';
import { quotaFromItem } from './quota-item.ts';

/** Tells whether the user's own quota pays for a job, or the budget of the project. */
export interface Payment {
  readonly account: AccountKey;
  /** True if the project was shared when the job was submitted. */
  readonly drawn?: boolean | undefined;
}

/** Returns the account that holds, pays and has the ledger lines. */
export function payerOf({ account, drawn }: Payment): AccountKey {
  return drawn ? budgetOf(account) : account;
}

/** Names the account of a ledger line, and in a budget's ledger whose job it is about. */
export function lineOf(payment: Payment) {
  const payer = payerOf(payment);
  return payment.drawn ? { ...payer, member: payment.account.user } : payer;
}

/** More than any project has, because a budget does not limit the number of jobs. */
const anyNumber = Number.MAX_SAFE_INTEGER;

/**
 * Takes a hold from the account that pays. A member who draws from a budget is checked and counted
 * in the own quota: bans, its end, and the number of active jobs.
 */
export function holdSteps(payment: Payment, hold: Hold, rules: HoldRules): Step[] {
  const { account, drawn } = payment;
  if (!drawn) return [holdQuota(account, hold, rules)];
  const { Update } = holdQuota(budgetOf(account), hold, { ...rules, maxLivingJobs: anyNumber });
  return [
    countJobs(account, { add: drawnAmounts(hold, 1) }, nothing, rules),
    {
      ...(Update && { Update }),
      refuse: (stored) =>
        judgeDraw(account, stored && quotaFromItem(stored), hold, rules.now) ??
        new Error(`The budget of ${account.project} refused a hold for no known reason.`),
    },
  ];
}

/** Returns why a budget refuses a hold, or undefined if it does not. */
export function judgeDraw(
  account: AccountKey,
  budget: Quota | undefined,
  hold: Hold,
  now: Date,
): NoBudgetError | QuotaExpiredError | QuotaExceededError | undefined {
  if (!budget) return new NoBudgetError(account);
  const { validUntil, time, space } = budget;
  if (validUntil && validUntil <= now) return new QuotaExpiredError(account, validUntil, 'budget');
  if (hold.seconds <= time.left && hold.kilobytes <= space.left) return undefined;
  const left = { seconds: time.left, kilobytes: space.left };
  return new QuotaExceededError(account, hold, left, 'budget');
}

function drawnAmounts({ seconds, kilobytes }: Amount, sign: 1 | -1) {
  return { drawn_seconds: sign * seconds, drawn_kilobytes: sign * kilobytes, draws: 1 };
}

/** Gives up a hold: what was used is charged to the account that pays, the rest goes back to it. */
export function settleSteps(payment: Payment, settled: SettledHold): Step[] {
  const { account, drawn } = payment;
  if (!drawn) return [settleQuota(account, settled)];
  const { used, returned, kilobytes, jobs } = settled;
  return [
    {
      Update: changeOf(quotaKey(account), {
        add: {
          living_jobs: -jobs,
          ...drawnAmounts({ seconds: used + returned, kilobytes }, -1),
        },
        when: ['living_jobs >= :jobs'],
        values: { ':jobs': jobs },
      }),
      refuse: () =>
        new Error(`The quota of ${account.user} in ${account.project} counts fewer jobs than end.`),
    },
    settleQuota(budgetOf(account), settled),
  ];
}

/** Takes more space for a job that already has its hold, as far as some remains. */
export function holdSpaceSteps(payment: Payment, kilobytes: number): Step[] {
  const { account, drawn } = payment;
  if (!drawn) return [holdSpace(account, kilobytes)];
  const more = { seconds: 0, kilobytes };
  return [
    {
      Update: changeOf(quotaKey(account), {
        add: drawnAmounts(more, 1),
        when: ['attribute_exists(PK)'],
      }),
      refuse: () => new Error(`${account.user} has no quota in ${account.project} any more.`),
    },
    holdSpace(budgetOf(account), kilobytes),
  ];
}
