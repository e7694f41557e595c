import { type Resources, resourcesOf } from '#lib/catalog/resources.ts';
import { requireRoomInFolder } from '#lib/files/folders/require-room.ts';
import { estimateHold } from '#lib/quotas/estimate-hold.ts';
import type { Amount, Hold } from '#lib/quotas/quota.ts';
import { estimateQuota } from '#lib/quotas/welcome.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { readObstacle } from '#lib/systems/read-maintenance.ts';
import { estimateLogin } from '#lib/users/logins/login-store.ts';
import { accountOf } from '../job.ts';
import type { SubmissionContext } from './accept-once.ts';
import { measureInput } from './place-input.ts';
import { allot, type Submission } from './submission.ts';

/** What a job or a batch would be granted, and the quota that would remain. */
export interface EstimatedTerms {
  /** The account that jobs would run as, if not the service's own. */
  readonly login: string | undefined;
  /** Hours, of each job. */
  readonly runtime: number;
  readonly resources: Resources;
  readonly hold: Hold;
  readonly left: Amount;
  /** Including those of this submission. */
  readonly activeJobs: number;
  readonly maxLivingJobs: number;
  /** The maintenance that the jobs would wait for. */
  readonly obstacle: MaintenanceWindow | undefined;
}

/**
 * Judges a job or a batch by the same rules as when it is accepted, or throws the same error. Writes
 * nothing. What only one of the two checks comes after the account of the user.
 */
export async function estimateTerms<Checked extends { readonly count: number }>(
  { table, inputs, budget }: Omit<SubmissionContext, 'catalog'>,
  submission: Submission,
  now: Date,
  check: () => Promise<Checked>,
): Promise<{ readonly terms: EstimatedTerms; readonly checked: Checked }> {
  const { system, project, joins } = submission;
  const login = await estimateLogin(table, submission);
  const checked = await check();
  await requireRoomInFolder(table, submission);
  const bytes = await measureInput(table, inputs, submission, now);
  const { runtime, hold, cost } = allot(submission, bytes, checked.count);
  const account = accountOf(submission);
  const quota = await estimateQuota(table, system, account, submission);
  const { maxLivingJobs, closed } = project;
  await holdSpending(table, { cost, budget, at: now });
  const payment = { account, drawn: project.shared };
  const rules = { maxLivingJobs, jobs: checked.count, closed, joins, now };
  const estimated = await estimateHold(table, payment, quota, hold, rules);
  const resources = resourcesOf(submission);
  const obstacle = await readObstacle(table, system.name, runtime * 3600, now);
  const terms = { login, runtime, resources, hold, ...estimated, maxLivingJobs, obstacle };
  return { terms, checked };
}
