import type { Estimate } from '#lib/jobs/submit/estimate-job.ts';
import { presentAmount } from '../quotas/present-amount.ts';
import { float } from '../values/float.ts';

export function presentEstimate(estimate: Estimate) {
  const { login, runtime, hold, left, livingJobs, maxLivingJobs } = estimate;
  return {
    accepted: true,
    runtime: float(runtime),
    held: presentAmount(hold),
    left: presentAmount(left),
    living_jobs: livingJobs,
    max_living_jobs: maxLivingJobs,
    ...(login !== undefined && { account: login }),
  };
}
