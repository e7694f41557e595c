import { type Resources, resourcesOf } from '#lib/catalog/resources.ts';
import { measureInput } from '#lib/jobs/submit/place-input.ts';
import { allot } from '#lib/jobs/submit/submission.ts';
import { estimateHold } from '#lib/quotas/estimate-hold.ts';
import type { Amount, Hold } from '#lib/quotas/quota.ts';
import { estimateQuota } from '#lib/quotas/welcome.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { readObstacle } from '#lib/systems/read-maintenance.ts';
import { estimateLogin } from '#lib/users/logins/login-store.ts';
import type { BatchContext } from './accept-batch.ts';
import { accountOf } from './batch.ts';
import { type BatchSubmission, mostPreviewed, previewTexts } from './batch-submission.ts';
import { readRows } from './read-rows.ts';
import { noRows, parseRows } from './stored-rows.ts';

export interface BatchEstimate {
  readonly login: string | undefined;
  readonly count: number;
  /** Hours, of each job. */
  readonly runtime: number;
  readonly resources: Resources;
  readonly hold: Hold;
  readonly left: Amount;
  /** Including those of this batch. */
  readonly activeJobs: number;
  readonly maxLivingJobs: number;
  /** The maintenance that the jobs would wait for. */
  readonly obstacle: MaintenanceWindow | undefined;
  readonly preview: ReturnType<typeof previewTexts>;
}

/** Judges a batch by the same checks and rules as submitBatch. Writes nothing. */
export async function estimateBatch(
  context: BatchContext,
  submission: BatchSubmission,
  now = new Date(),
): Promise<BatchEstimate> {
  const { table, inputs, budget } = context;
  const { system, project } = submission;
  const login = await estimateLogin(table, submission);
  const rows = await readRows(context, submission, now);
  const values = rows.table === undefined ? noRows : parseRows(rows.table, mostPreviewed);
  const bytes = await measureInput(table, inputs, submission, now);
  const { runtime, hold, cost } = allot(submission, bytes, rows.count);
  const account = accountOf(submission);
  const quota = await estimateQuota(table, system, account, submission);
  const { maxLivingJobs, closed } = project;
  const rules = { maxLivingJobs, jobs: rows.count, closed, joins: submission.joins, now };
  await holdSpending(table, { cost, budget, at: now });
  const payment = { account, drawn: project.shared };
  const estimated = await estimateHold(table, payment, quota, hold, rules);
  return {
    login,
    count: rows.count,
    runtime,
    resources: resourcesOf(submission),
    hold,
    ...estimated,
    maxLivingJobs,
    obstacle: await readObstacle(table, system.name, runtime * 3600, now),
    preview: previewTexts(submission, values, rows.count),
  };
}
