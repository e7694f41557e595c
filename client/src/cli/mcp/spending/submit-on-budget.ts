import { type Job, SlipwayProblem } from '../../../index.ts';
import { explain } from '../../outcome/explain.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import type { Budget } from './budget.ts';

/** After these nobody knows what became of an earlier try of the same submission. */
const doubtful = [401, 409, 429];

/** Gives back what was taken for a job that was refused; where that is in doubt, it stays taken. */
export async function submitOnBudget(
  budget: Budget,
  seconds: number,
  submit: () => Promise<Job>,
): Promise<Job> {
  try {
    return await submit();
  } catch (error) {
    if (isRefusal(error)) {
      budget.giveBack(seconds);
      throw error;
    }
    const { lines, outcome } = explain(error, false);
    throw new CannotDo(lines.join('\n'), {
      outcome,
      next: 'The job may have been submitted all the same: look with jobs before you submit it again.',
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SlipwayProblem && error.status < 500 && !doubtful.includes(error.status);
}
