import type { Job } from '#client/src/index.ts';

/** The jobs that have ended since a moment, the last to end first. */
export function endedSince(jobs: readonly Job[], since: string): readonly Job[] {
  return jobs
    .flatMap((job) => (job.end_date !== null && job.end_date >= since ? [job] : []))
    .toSorted((one, other) => (other.end_date ?? '').localeCompare(one.end_date ?? ''));
}
