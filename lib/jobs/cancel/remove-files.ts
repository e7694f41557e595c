import { ownStages } from '#lib/catalog/hpc-system.ts';
import { outputTailKey, resultsKey, type SendingRun } from '#lib/files/object-keys.ts';
import { removeRelaysOf } from '#lib/files/results/relay-files.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { findMachine } from '#lib/hpc/machine/this-machine.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, isDiscarded, type Job } from '../job.ts';
import { readRequest } from '../job-request.ts';
import { type JobLife, lifeFromItem } from '../life/job-life.ts';
import { requestRemoval } from '../life/job-life-store.ts';

/**
 * Removes a job's input once it is cancelled or deleted. Its output goes only once it is deleted,
 * because people who cancel a job want to see how far it got. If the process dies halfway,
 * repeating the request finishes the work. Otherwise the storage expires the objects later.
 */
export async function removeFiles(
  table: Table,
  files: JobFiles,
  job: Job,
  withOutput = job.stage === ownStages.deleted,
  now = new Date(),
): Promise<void> {
  if (!isDiscarded(job)) return;
  // Jobs of a batch share their input, which goes with the batch, unless files were fetched for one.
  const hasOwnInput = !job.batch || job.hold.kilobytes > 0;
  const key = hasOwnInput ? (await readRequest(table, job))?.input.key : undefined;
  const { inputs, results } = files;
  const life = withOutput ? await findLifeIfAny(table, job) : undefined;
  const runs = withOutput ? listRuns(life, job) : [];
  await Promise.all([
    ...(key === undefined ? [] : [inputs.remove(key)]),
    ...runs.flatMap((run) =>
      [resultsKey(run), outputTailKey(run)].map((each) => results.remove(each)),
    ),
    ...(withOutput ? [findMachine()?.removeJob(job.project.hpc, job.jobId)] : []),
    // The system may be away. The next sweep removes the job there.
    ...(life?.systemKeeps ? [requestRemoval(table, job, now)] : []),
    removeRelaysOf({ table, results }, job.owner, job.jobId),
  ]);
}

/** A job that was imported has no life. */
function findLifeIfAny(table: Table, job: Job): Promise<JobLife | undefined> {
  return readItem(table, jobLifeKey(accountOf(job), job.jobId), lifeFromItem);
}

/** Lists the runs that may have sent something. */
function listRuns(life: JobLife | undefined, job: Job): SendingRun[] {
  const { run: last = 1, runs = [], sent = [] } = life ?? {};
  const numbers = new Set([
    1,
    last,
    ...runs.map(({ number }) => number),
    ...sent.map(({ run }) => run),
  ]);
  return [...numbers].map((run) => ({ owner: job.owner, jobId: job.jobId, run }));
}
