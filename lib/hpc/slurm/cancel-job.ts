import type { SubmittedJob } from '../connector.ts';
import { reportFailure } from './judge-refusal.ts';
import { hasCode, isSuccess, isUnknownJob } from './read-answer.ts';
import type { Slurm } from './slurm.ts';

/** ESLURM_ALREADY_DONE */
const alreadyDone = 2021;

/** Sends no signal, because a signal reaches only the steps and the batch script goes on. */
export async function cancelJob(slurm: Slurm, { handle, login }: SubmittedJob): Promise<void> {
  const answer = await slurm.cancel(handle, login);
  if (isUnknownJob(answer) || hasCode(answer, alreadyDone)) return;
  if (!isSuccess(answer) || (answer.errors ?? []).length > 0) {
    throw reportFailure(answer, 'cancel');
  }
}
