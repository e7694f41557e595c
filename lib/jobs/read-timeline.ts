import type { JobPlace } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { JobNotFoundError } from './errors.ts';
import type { Job } from './job.ts';
import { beginLife, type JobLife } from './job-life.ts';
import { findLife } from './job-life-store.ts';
import { findJob } from './job-store.ts';

export interface Timeline {
  readonly job: Job;
  readonly life: JobLife;
}

/** Jobs that were brought in from elsewhere never lived here: what is known is how they ended. */
export async function readTimeline(
  table: Table,
  place: JobPlace,
  jobId: string,
): Promise<Timeline> {
  const job = await findJob(table, place, jobId);
  const life = await findLife(table, place, jobId).catch((error: unknown) => {
    if (!(error instanceof JobNotFoundError)) throw error;
    const stages = [{ stage: job.stage, at: job.endedAt ?? job.startedAt }];
    return { ...beginLife(job), stages };
  });
  return { job, life };
}
