import { type Charging, writeNodeTime } from '../../../format/write-node-time.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import type { AskUser } from './ask-user.ts';
import type { Budget } from './budget.ts';
import { describeBudget } from './describe-budget.ts';

export interface Spending {
  /** What the job will hold. */
  readonly seconds: number;
  readonly charging: Charging;
  /** What the job is, for the person who is asked. */
  readonly job: readonly string[];
}

/** Takes what a job will hold from the budget, or asks; refuses where nobody agrees. */
export async function permitSpending(
  budget: Budget,
  { seconds, charging, job }: Spending,
  ask: AskUser,
): Promise<void> {
  if (budget.take(seconds)) return;
  const price = writeNodeTime(seconds, charging);
  const rest = describeBudget(budget, charging);
  const answer = await ask(
    [
      `An assistant wants to submit a job that reserves ${price} (${seconds} s). ${rest}`,
      ...job,
    ].join('\n'),
  );
  if (answer === undefined) {
    throw new CannotDo(`This job would reserve ${price}. ${rest} Nothing was submitted.`, {
      outcome: outcome.refused,
      next: `Tell the user. They can start the server anew with a larger budget, such as --budget ${suggestBudget(seconds)}, or submit the job themselves with slipway submit.`,
    });
  }
  if (!answer) {
    throw new CannotDo('The user was asked and did not agree. Nothing was submitted.', {
      outcome: outcome.refused,
      next: 'Do not try again before the user has said what to change.',
    });
  }
  budget.takeAllTheSame(seconds);
}

function suggestBudget(seconds: number): string {
  return `${Math.ceil(seconds / 3600)}h`;
}
