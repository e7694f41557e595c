import type { Job } from '#lib/jobs/job.ts';
import { float } from '../values/float.ts';
import { timestamp } from '../values/timestamp.ts';

/** Interface 2.2, field for field. */
export function presentJob(job: Job) {
  return {
    end_date: job.endedAt && timestamp(job.endedAt),
    failed: job.failed,
    id: job.id,
    init_date: timestamp(job.submittedAt),
    job_id: job.jobId,
    owner: job.owner,
    project: job.project.number,
    project_hpc: job.project.hpc.toUpperCase(),
    project_name: job.project.name,
    runtime: float(job.runtime),
    stage: job.stage,
    terminal_stage: job.terminal,
    title: job.title,
  };
}

export function jobLocation({ project, jobId }: Job): string {
  return `/jobs/${project.hpc}/${project.name}/${jobId}/`;
}
