import { refusalSaying } from '#lib/errors/domain-error.ts';
import { HoldRefusedError } from '#lib/quotas/errors.ts';
import { microsPerDollar } from '../charging/price-job.ts';

/** The amounts that a submission is judged by, in millionths of a US dollar. */
export interface SpendingPlan {
  /** What the month has cost so far and may still cost, without this submission. */
  readonly estimate: number;
  readonly asked: number;
  readonly budget: number;
}

/** A submission that could cost more than remains of the month's budget. */
export class BudgetSpentError extends /* @__PURE__ */ refusalSaying(
  'budget-spent',
  ({ estimate, asked, budget }: SpendingPlan, nextMonth: Date) => {
    const day = nextMonth.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    });
    const message =
      estimate >= budget
        ? `AWS Batch is paused until ${day}: this month's jobs cost about ${writeDollars(estimate)} of the budget of ${writeDollars(budget)}. It opens earlier if jobs end before their time. Use another system, or ask an administrator to raise the budget.`
        : `This month's budget for AWS Batch is too small: jobs cost about ${writeDollars(estimate)} of ${writeDollars(budget)} so far, and this submission could cost ${writeDollars(asked)} more. Ask for less, or wait until ${day}, when the next month begins.`;
    const facts = {
      estimate: estimate / microsPerDollar,
      cost: asked / microsPerDollar,
      budget: budget / microsPerDollar,
      opensAt: nextMonth.toISOString().replace('.000', ''),
    };
    return { message, facts };
  },
  HoldRefusedError,
) {}

/** Writes whole dollars without cents, and amounts below a cent with four digits. */
function writeDollars(micros: number): string {
  const dollars = micros / microsPerDollar;
  if (Number.isInteger(dollars)) return `${dollars} USD`;
  return `${dollars.toFixed(dollars < 0.01 ? 4 : 2)} USD`;
}
