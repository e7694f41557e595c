import type { Job } from '../generated/operations.ts';

/** Where a job is, as the operations on it want to know. */
export function placeOf({ project_hpc: system, project_name, job_id }: Job) {
  return { hpc: system.toLowerCase(), project_name, job_id };
}
