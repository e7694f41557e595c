import { accountOf, type Job } from '#lib/jobs/job.ts';
import { createPasses, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import type { JobAddresses } from '#lib/jobs/run/sweep/sweep.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';

export interface AddressSettings {
  /** Where the service is reached from the HPC systems, without a slash at its end. */
  readonly PUBLIC_URL: string;
  readonly PASS_SECRET: string;
}

/** Longer than any queue: a pass ends with its job, and this is for one whose end nobody saw. */
const passSeconds = 180 * 24 * 3600;

/**
 * Addresses of the service itself, good for as long as the job lives. The pass is in the query,
 * which no log of ours has; the path says which job it was, and is in all of them.
 */
export function createJobAddresses({
  PUBLIC_URL,
  PASS_SECRET,
}: AddressSettings): (job: Job, at: Date) => JobAddresses {
  const passes = createPasses(PASS_SECRET);
  return (job, at) => {
    const { jobId } = job;
    const pass = { jobId, account: accountOf(job), endsAt: addSeconds(at, passSeconds) };
    const write = (purpose: PassPurpose) =>
      `${PUBLIC_URL}/handover/${jobId}/${purpose}/?pass=${passes.write({ ...pass, purpose })}`;
    return { input: write('input'), output: write('output'), results: write('results') };
  };
}
