import { addSeconds } from '#lib/time/add-seconds.ts';
import type { AccountedJob } from '../connector.ts';
import { nothingFound } from './find-by-tag.ts';
import { readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { observeJob } from './observe-job.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** From here on `start_time` is a number of seconds; before, it is written as sacct reads it. */
const firstWithNumbers = 40;

const aDay = 24 * 60 * 60;

/**
 * The jobs that have ended since a moment, as slurmdbd has them and the service's user may see them.
 * Returns undefined if the cluster has no accounting. The question begins a day earlier, because
 * older versions read it in the cluster's own time zone.
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
    // Only its times count here, and no reason that names a directory.
    const seen = observeJob(record, '');
    if (seen?.state !== 'ended' || seen.endedAt === undefined) return [];
    if (seen.endedAt < since) return [];
    const { usedSeconds: seconds = 0, endedAt } = seen;
    return [{ jobId: record.name, handle: record.id, seconds, endedAt }];
  });
}
