import * as z from 'zod';
import type { Charging } from '../../../format/write-node-time.ts';
import type { Budget } from '../spending/budget.ts';
import { presentRest, presentTime, TimeAnswer } from './time-answer.ts';

export const BudgetAnswer = z
  .object({ whole: TimeAnswer, left: TimeAnswer })
  .describe('what the jobs of this session may reserve before the user is asked');

export type BudgetAnswer = z.infer<typeof BudgetAnswer>;

export function presentBudget(budget: Budget, charging: Charging): BudgetAnswer {
  return {
    whole: presentTime(budget.whole, charging),
    left: presentRest(budget.left(), charging),
  };
}
