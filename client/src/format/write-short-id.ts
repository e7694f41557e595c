const length = 8;

/** Shortens a job id to the first letters of its random part. */
export function writeShortId(jobId: string): string {
  return partByChance(jobId).slice(0, length);
}

/**
 * Returns true if the text is the id of this job, the start of it, or the start of its random part.
 */
export function matchesId(jobId: string, wanted: string): boolean {
  const begin = wanted.toUpperCase();
  return jobId.startsWith(begin) || partByChance(jobId).startsWith(begin);
}

/**
 * Finds the random part: in `NGBW-JOB-NEURON74_TG-1A2B…` all jobs of a tool share what is before
 * the last hyphen.
 */
function partByChance(jobId: string): string {
  return /[0-9A-F]{32}$/.exec(jobId)?.[0] ?? jobId;
}
