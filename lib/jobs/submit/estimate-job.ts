import { type Resources, resourcesOf } from '#lib/catalog/resources.ts';
import { estimateHold } from '#lib/quotas/estimate-hold.ts';
import type { Amount, Hold } from '#lib/quotas/quota.ts';
import { estimateQuota } from '#lib/quotas/welcome.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { readObstacle } from '#lib/systems/read-maintenance.ts';
import { estimateLogin } from '#lib/users/logins/login-store.ts';
import { findWaits } from '../chains/await-jobs.ts';
import { accountOf } from '../job.ts';
import { measureInput } from './place-input.ts';
import { findSimilarJobs, type SimilarJobs } from './similar-jobs.ts';
import { allot, type Submission } from './submission.ts';
import type { SubmissionContext } from './submit-job.ts';

/** The grant that a submission would get, and the quota that would remain. */
export interface Estimate {
  /** The account that the job would run as, if not the service's own. */
  readonly login: string | undefined;
  /** Hours. */
  readonly runtime: number;
  readonly resources: Resources;
  readonly hold: Hold;
  readonly left: Amount;
  /** Including this job. */
  readonly activeJobs: number;
  readonly maxLivingJobs: number;
  /** The maintenance that the job would wait for. */
  readonly obstacle: MaintenanceWindow | undefined;
  /** How much of their time the last jobs of the same kind used. */
  readonly similar: SimilarJobs | undefined;
}

/**
 * Judges a submission by the same checks and rules as submitJob, or throws the same error. Writes
 * nothing: no file, no number, no first contact.
 */
export async function estimateJob(
  { table, catalog, inputs, budget }: SubmissionContext,
  submission: Submission,
  now = new Date(),
): Promise<Estimate> {
  const { owner, system, project, waits } = submission;
  const login = await estimateLogin(table, submission);
  if (waits) await findWaits(table, catalog, owner, waits);
  const bytes = await measureInput(table, inputs, submission, now);
  const { runtime, hold, cost } = allot(submission, bytes);
  const account = accountOf(submission);
  const quota = await estimateQuota(table, system, account, submission);
  const { maxLivingJobs, closed } = project;
  await holdSpending(table, { cost, budget, at: now });
  const payment = { account, drawn: project.shared };
  const rules = { maxLivingJobs, closed, joins: submission.joins, now };
  const estimated = await estimateHold(table, payment, quota, hold, rules);
  return {
    login,
    runtime,
    resources: resourcesOf(submission),
    hold,
    ...estimated,
    maxLivingJobs,
    obstacle: await readObstacle(table, system.name, runtime * 3600, now),
    similar: await findSimilarJobs(table, submission),
  };
}
