import { firstId, jobListRange, lastId } from '#lib/table/keys.ts';
import { queryPage, selectJobs } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { findWaits } from '../chains/await-jobs.ts';
import { accountOf, isDiscarded, type Job, jobFromItem } from '../job.ts';
import type { Share } from '../read/efficiency.ts';
import type { SubmissionContext } from './accept-once.ts';
import { type EstimatedTerms, estimateTerms } from './estimate-terms.ts';
import type { Submission } from './submission.ts';

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
  const range = jobListRange(accountOf(submission), firstId, lastId);
  const { Items } = await queryPage(table, {
    ...selectJobs(submission.owner, range),
    ScanIndexForward: false,
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
