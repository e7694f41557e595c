import { addSeconds } from '#lib/time/add-seconds.ts';
import type { AccountedJob } from '../connector.ts';
import { readHandle } from './array-tasks.ts';
import { sortRuns } from './ask-accounting.ts';
import { nothingFound } from './find-by-tag.ts';
import { readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { listQueue } from './look-up-jobs.ts';
import { describeRuns, translateStates } from './observe-job.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurm } from './slurm.ts';
import type { SlurmSite } from './submit-jobs.ts';

const aDay = 24 * 60 * 60;

/**
 * Lists the jobs in slurmdbd that ended since a moment and that the service's user may see. Returns
 * undefined if the cluster has no accounting. Asks from a day earlier, because older versions read
 * the time in the cluster's own time zone.
 */
export async function listAccounted(
  slurm: Slurm,
  { cluster: named }: SlurmSite,
  since: Date,
): Promise<readonly AccountedJob[] | undefined> {
  if (!(await slurm.hasAccounting())) return undefined;
  const answer = await slurm.listAccounted(addSeconds(since, -aDay));
  if (hasCode(answer, nothingFound)) return [];
  const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
  if (list === undefined) throw reportFailure(answer, 'list the accounting');
  const cluster = named ?? (await findCluster(slurm));
  const own = list.jobs.filter((record) => cluster === undefined || record.cluster === cluster);
  const byJob = Map.groupBy(own, ({ id, name }) => `${id} ${name}`);
  return [...byJob.values()].flatMap((records) => {
    const runs = sortRuns(records);
    const last = runs.at(-1);
    if (!last) return [];
    const { name, id: handle, end, states } = last;
    // After a cancel in the queue, the accounting may not have more than the run before it.
    const isOver = translateStates(states)?.state === 'ended' || states.includes('REQUEUED');
    if (!isOver || end === undefined || end * 1000 < since.getTime()) return [];
    const endedAt = new Date(end * 1000);
    return [{ name, task: readHandle(handle).task, handle, runs: describeRuns(runs), endedAt }];
  });
}

/**
 * Finds the name of the cluster, because one slurmdbd may keep the accounting of several. Older
 * versions tell it only with a job, so the result is undefined while their queue is empty.
 */
async function findCluster(slurm: Slurm): Promise<string | undefined> {
  const { jobs } = await listQueue(slurm);
  return jobs.find(({ cluster }) => cluster !== undefined)?.cluster;
}
