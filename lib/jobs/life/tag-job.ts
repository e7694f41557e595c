import type { JobTag } from '#lib/hpc/connector.ts';
import type { Job } from '../job.ts';
import type { JobLife } from './job-life.ts';

/** The job as its system is told of it; whoever its owner has become since, it is who it was. */
export function tagJob({ jobId, owner }: Job, { login }: JobLife): JobTag {
  return { jobId, owner, login };
}
