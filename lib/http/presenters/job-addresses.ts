import type { HandOverSettings } from '#lib/config.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { createPasses, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import type { JobAddresses } from '#lib/jobs/run/sweep/sweep.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';

/** Longer than any queue. A pass ends with its job; this limits it if the end was never seen. */
const passSeconds = 180 * 24 * 3600;

/**
 * Creates addresses of the service itself, valid as long as the job is active. The pass is in the
 * query, which is never logged; the path, which is logged, names the job.
 */
export function createJobAddresses({
  PUBLIC_URL,
  PASS_SECRET,
}: HandOverSettings): (job: Job, at: Date) => JobAddresses {
  const passes = createPasses(PASS_SECRET);
  return (job, at) => {
    const { jobId } = job;
    const pass = { jobId, account: accountOf(job), endsAt: addSeconds(at, passSeconds) };
    const write = (purpose: PassPurpose, place: string = purpose) =>
      `${PUBLIC_URL}/handover/${jobId}/${place}/?pass=${passes.write({ ...pass, purpose })}`;
    return {
      script: write('script'),
      array: write('array', 'script'),
      input: write('input'),
      output: write('output'),
      results: write('results'),
      fetch: write('fetch'),
      send: write('send'),
    };
  };
}
