import { BudgetSpentError } from './errors.ts';

/** Millionths of a US dollar: what active jobs may still cost, and what those that ended in a month did. */
export interface Spending {
  readonly held: number;
  readonly used: number;
}

/**
 * Estimates a month: what ended in it, and the most that active jobs can cost. Jobs that run from
 * one month into the next count in both until they end, and then in the second alone.
 */
export function estimateMonth({ held, used }: Spending): number {
  return held + used;
}

/** Returns why a budget refuses a submission, or undefined if it fits. The last cent may be spent. */
export function judgeSpending(
  spending: Spending,
  asked: number,
  budget: number,
  now: Date,
): BudgetSpentError | undefined {
  const estimate = estimateMonth(spending);
  if (estimate + asked <= budget) return undefined;
  return new BudgetSpentError({ estimate, asked, budget }, nextMonth(now));
}

/** Returns when the next month begins, in UTC as in the bills of AWS. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
}
