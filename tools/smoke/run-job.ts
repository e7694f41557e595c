import {
  type Job,
  placeOf,
  type SlipwayOnNode,
  type SubmissionOnNode,
} from '#client/src/node/index.ts';
import type { TakeStep } from './take-steps.ts';

export interface JobPatience {
  readonly jobSeconds: number;
  readonly mayWait: boolean;
}

/** Submits a job and sees it to its end. Whatever happens, none is left that lives. */
export async function runJob(
  client: SlipwayOnNode,
  submission: SubmissionOnNode,
  { jobSeconds, mayWait }: JobPatience,
  step: TakeStep,
): Promise<Job> {
  let job: Job | undefined;
  await step('submit', async () => {
    job = await client.submit(submission);
    return `${job.job_id} in ${job.project_name}, ${job.stage}`;
  });
  if (!job) throw new Error('Nothing was submitted.');
  const submitted = job;
  let last = submitted;
  const inTime = AbortSignal.timeout(jobSeconds * 1000);
  await step('job', async () => {
    try {
      const onChange = (now: Job) => {
        last = now;
      };
      last = await client.waitFor(submitted, { signal: inTime, onChange });
    } catch (error) {
      const waited = `It was in ${last.stage} after ${jobSeconds} seconds, and was cancelled.`;
      last = await client.deleteJob(placeOf(submitted));
      if (!inTime.aborted) throw error;
      if (!mayWait) throw new Error(`${waited} On a real system, say --may-wait.`);
      return waited;
    }
    if (last.failed)
      throw new Error(`It ended as ${last.stage}. ${await explainEnd(client, last)}`);
    return last.stage;
  });
  return last;
}

async function explainEnd(client: SlipwayOnNode, job: Job): Promise<string> {
  const { reason } = await client.getTimeline(placeOf(job));
  return reason ?? 'No reason is known.';
}
