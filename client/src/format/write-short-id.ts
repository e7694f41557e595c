const length = 8;

/** What is enough to tell a job from others: the first letters of the part that is by chance. */
export function writeShortId(jobId: string): string {
  return partByChance(jobId).slice(0, length);
}

/** Whether somebody means this job: its whole id, the beginning of it, or of its part by chance. */
export function matchesId(jobId: string, wanted: string): boolean {
  const begin = wanted.toUpperCase();
  return jobId.startsWith(begin) || partByChance(jobId).startsWith(begin);
}

/** `NGBW-JOB-NEURON74_TG-1A2B…`: what stands before the last hyphen is the same for all of a tool. */
function partByChance(jobId: string): string {
  return /[0-9A-F]{32}$/.exec(jobId)?.[0] ?? jobId;
}
