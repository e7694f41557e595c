import type { JobOutcome } from '#lib/quotas/job-outcomes.ts';
import { changeOf } from '#lib/table/change.ts';
import { batchKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import type { Job } from '../job.ts';

/** Changes of a job that its batch counts. */
interface JobNews {
  /** Set when the job ends. */
  readonly ended?: {
    readonly outcome: JobOutcome;
    readonly at: Date;
    /** Whether it ended before it was its turn to be handed over. */
    readonly parked?: boolean | undefined;
  };
  /** Seconds of its hold that are given up, and how many of them were used. */
  readonly settled?: { readonly seconds: number; readonly used: number };
  /** Whether it starts or stops running. */
  readonly running?: boolean;
}

const countedAs: Record<JobOutcome, string> = {
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/**
 * Counts a change of a job in its batch, in the transaction that makes the change. So the counts of
 * a batch are exact at every moment. Returns no step for a job without a batch.
 */
export function countInBatch(job: Job, { ended, settled, running }: JobNews): Step[] {
  const { batch } = job;
  if (!batch) return [];
  const stopsRunning = ended !== undefined && job.batchRunning === true;
  return [
    {
      Update: changeOf(batchKey(job.owner, batch.id), {
        set: { ...(ended && { last_end: ended.at.toISOString() }) },
        add: {
          ...(ended && { [countedAs[ended.outcome]]: 1 }),
          ...(ended?.parked && { ended_parked: 1 }),
          ...(stopsRunning && { running: -1 }),
          ...(running !== undefined && { running: running ? 1 : -1 }),
          ...(settled && { held_seconds: -settled.seconds, used_seconds: settled.used }),
        },
        when: ['attribute_exists(PK)'],
      }),
      refuse: () => new Error(`The batch ${batch.id} of job ${job.jobId} is missing.`),
    },
  ];
}
