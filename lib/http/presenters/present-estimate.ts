import type { Estimate } from '#lib/jobs/submit/estimate-job.ts';
import { float } from './float.ts';
import { presentAmount } from './present-amount.ts';

export function presentEstimate({ runtime, hold, left, livingJobs, maxLivingJobs }: Estimate) {
  return {
    accepted: true,
    runtime: float(runtime),
    held: presentAmount(hold),
    left: presentAmount(left),
    living_jobs: livingJobs,
    max_living_jobs: maxLivingJobs,
  };
}
