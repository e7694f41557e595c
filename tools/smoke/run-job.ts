import {
  type Job,
  placeOf,
  type SlipwayOnNode,
  type SubmissionOnNode,
} from '#client/src/node/index.ts';
import type { Outcome, TakeStep } from './take-steps.ts';

export interface JobPatience {
  readonly jobSeconds: number;
  readonly mayWait: boolean;
}

/** Submits a job and sees it to its end. Whatever happens, none is left that lives. */
export async function runJob(
  client: SlipwayOnNode,
  submission: SubmissionOnNode,
  patience: JobPatience,
  step: TakeStep,
): Promise<Job> {
  const submitted = await step('submit', async () => {
    const job = await client.submit(submission);
    return { words: `${job.job_id} in ${job.project_name}, ${job.stage}`, result: job };
  });
  return step('job', () => endJob(client, submitted, patience));
}

async function endJob(
  client: SlipwayOnNode,
  submitted: Job,
  { jobSeconds, mayWait }: JobPatience,
): Promise<Outcome<Job>> {
  const inTime = AbortSignal.timeout(jobSeconds * 1000);
  let seen = submitted;
  const onChange = (now: Job) => {
    seen = now;
  };
  try {
    const ended = await client.waitFor(submitted, { signal: inTime, onChange });
    if (!ended.failed) return { words: ended.stage, result: ended };
    throw new Error(`It ended as ${ended.stage}. ${await explainEnd(client, ended)}`);
  } catch (error) {
    if (seen.terminal_stage) throw error;
    const cancelled = await client.deleteJob(placeOf(submitted));
    if (!inTime.aborted) throw error;
    const words = `It was in ${seen.stage} after ${jobSeconds} seconds, and was cancelled.`;
    if (!mayWait) throw new Error(`${words} On a real system, say --may-wait.`);
    return { words, result: cancelled };
  }
}

async function explainEnd(client: SlipwayOnNode, job: Job): Promise<string> {
  const { reason } = await client.getTimeline(placeOf(job));
  return reason ?? 'No reason is known.';
}
