import { type Job, SlipwayProblem } from '../../../index.ts';
import type { Budget } from './budget.ts';

/** After these nobody knows what became of an earlier try: what it took stays taken. */
const doubtful = [401, 409, 429];

/** Gives back what was taken for a job that the service refused. */
export async function submitOnBudget(
  budget: Budget,
  seconds: number,
  submit: () => Promise<Job>,
): Promise<Job> {
  try {
    return await submit();
  } catch (error) {
    if (isRefusal(error)) budget.giveBack(seconds);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SlipwayProblem && error.status < 500 && !doubtful.includes(error.status);
}
