import { addSeconds } from '#lib/time/add-seconds.ts';
import type { AccountedJob } from '../connector.ts';
import { readHandle } from './array-tasks.ts';
import { nothingFound } from './find-by-tag.ts';
import { readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { observeJob } from './observe-job.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** From this version on `start_time` is in seconds; before, it is written as sacct reads it. */
const firstWithNumbers = 40;

const aDay = 24 * 60 * 60;

/**
 * Lists the jobs in slurmdbd that ended since a moment and that the service's user may see. Returns
 * undefined if the cluster has no accounting. Asks from a day earlier, because older versions read
 * the time in the cluster's own time zone.
 */
export async function listAccounted(
  slurmrestd: Slurmrestd,
  since: Date,
): Promise<readonly AccountedJob[] | undefined> {
  const { hasAccounting, version } = await slurmrestd.discover();
  if (!hasAccounting) return undefined;
  const from = addSeconds(since, -aDay);
  const start =
    version.number >= firstWithNumbers
      ? String(Math.floor(from.getTime() / 1000))
      : from.toISOString().slice(0, 19);
  const path = `/jobs?start_time=${encodeURIComponent(start)}`;
  const answer = await slurmrestd.call({ method: 'GET', area: 'slurmdb', path });
  if (hasCode(answer, nothingFound)) return [];
  const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
  if (list === undefined) throw reportFailure(answer, 'list the accounting');
  return list.jobs.flatMap((record) => {
    // Only the times matter here, so the directory is left empty.
    const seen = observeJob(record, '');
    if (seen?.state !== 'ended' || seen.endedAt === undefined) return [];
    if (seen.endedAt < since) return [];
    const { usedSeconds: seconds = 0, endedAt } = seen;
    const { name, id: handle } = record;
    return [{ name, task: readHandle(handle).task, handle, seconds, endedAt }];
  });
}
