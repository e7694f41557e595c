import { type Resources, resourcesOf } from '#lib/catalog/resources.ts';
import { estimateHold } from '#lib/quotas/estimate-hold.ts';
import type { Amount, Hold } from '#lib/quotas/quota.ts';
import { estimateQuota } from '#lib/quotas/welcome.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { readObstacle } from '#lib/systems/read-maintenance.ts';
import { firstId, jobListRange, lastId, userPartition } from '#lib/table/keys.ts';
import { queryPage } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { estimateLogin } from '#lib/users/logins/login-store.ts';
import { findWaits } from '../chains/await-jobs.ts';
import { accountOf, isDiscarded, type Job, jobFromItem } from '../job.ts';
import type { Share } from '../read/efficiency.ts';
import type { SubmissionContext } from './accept-once.ts';
import { measureInput } from './place-input.ts';
import { allot, type Submission } from './submission.ts';

/** What a job or a batch would be granted, and the quota that would remain. */
interface EstimatedTerms {
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

export interface Estimate extends EstimatedTerms {
  /** How much of their time the last jobs of the same kind used. */
  readonly similar?: SimilarJobs | undefined;
}

/** Estimates a job by the same checks as submitJob: no file, no number, no first contact. */
export async function estimateJob(
  context: SubmissionContext,
  submission: Submission,
  now = new Date(),
): Promise<Estimate> {
  const { table, catalog } = context;
  const { owner, waits } = submission;
  const { terms } = await estimateTerms(context, submission, now, async () => {
    if (waits) await findWaits(table, catalog, owner, waits);
    return { count: 1 };
  });
  return { ...terms, similar: await findSimilarJobs(table, submission) };
}

/** The last jobs of the same kind, with the longest run and the longest granted time. */
interface SimilarJobs {
  readonly jobs: number;
  /** Seconds. */
  readonly time: Share;
}

const mostJobs = 10;

/** Bounds the cost of an estimate: about 20 KB are read, whatever the user has. */
const mostRead = 50;

/**
 * Finds out how much of their time the caller's last jobs of the same kind used, among the newest
 * in the project. Two jobs are of a kind if they have the same title, apart from numbers.
 */
async function findSimilarJobs(
  table: Table,
  submission: Pick<Submission, 'owner' | 'project' | 'title'>,
): Promise<SimilarJobs | undefined> {
  const { user, hpc, project } = accountOf(submission);
  const { index, from, to } = jobListRange({ hpc, project }, firstId, lastId);
  const { Items } = await queryPage(table, {
    IndexName: index,
    KeyConditionExpression: 'PK = :user AND #index BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#index': index },
    ExpressionAttributeValues: { ':user': userPartition(user), ':from': from, ':to': to },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: mostRead,
  });
  return sumUpSimilar(Items.map(jobFromItem), submission.title);
}

export function sumUpSimilar(newest: readonly Job[], title: string): SimilarJobs | undefined {
  const similar = newest
    .filter((job) => kindOf(job.title) === kindOf(title) && isTelling(job))
    .slice(0, mostJobs);
  if (similar.length === 0) return undefined;
  return {
    jobs: similar.length,
    time: {
      used: Math.max(...similar.map(({ ranSeconds = 0 }) => ranSeconds)),
      asked: Math.max(...similar.map(askedSeconds)),
    },
  };
}

const kindOf = (title: string) => title.replaceAll(/\d+/g, '0').trim().toLowerCase();

const askedSeconds = ({ runtime }: Job) => Math.round(runtime * 3600);

/** A failed job says how much time it needs only if it used all of it. */
function isTelling(job: Job): boolean {
  const { ranSeconds, failed } = job;
  if (ranSeconds === undefined || isDiscarded(job)) return false;
  return !failed || ranSeconds >= 0.9 * askedSeconds(job);
}
