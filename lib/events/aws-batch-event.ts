import * as v from 'valibot';

/** AWS Batch reports changes of jobs on the default bus of the account, not on ours. */
export const awsBatchSource = 'aws.batch';

const JobReport = v.object({
  source: v.literal(awsBatchSource),
  detail: v.object({ jobName: v.string(), jobId: v.string() }),
});

/** What AWS Batch says about a job: that something has changed. */
export interface JobReport {
  /** The name of a job there is its job id here. */
  readonly jobName: string;
  readonly handle: string;
}

/** Returns undefined for an event of another source. */
export function parseJobReport(event: unknown): JobReport | undefined {
  const { success, output } = v.safeParse(JobReport, event);
  return success ? { jobName: output.detail.jobName, handle: output.detail.jobId } : undefined;
}
