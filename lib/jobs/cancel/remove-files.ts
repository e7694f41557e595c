import { ownStages } from '#lib/catalog/hpc-system.ts';
import { outputTailKey, resultsKey } from '#lib/files/object-keys.ts';
import { removeRelaysOf } from '#lib/files/results/relay-files.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { findMachine } from '#lib/hpc/machine/this-machine.ts';
import type { Table } from '#lib/table/table.ts';
import { isDiscarded, type Job } from '../job.ts';
import { readRequest } from '../job-request.ts';

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
): Promise<void> {
  if (!isDiscarded(job)) return;
  // Jobs of a batch share their input. It goes with the batch.
  const key = job.batch ? undefined : (await readRequest(table, job))?.input.key;
  const { inputs, results } = files;
  await Promise.all([
    ...(key === undefined ? [] : [inputs.remove(key)]),
    ...(withOutput
      ? [resultsKey, outputTailKey].map((keyOf) => results.remove(keyOf(job.owner, job.jobId)))
      : []),
    ...(withOutput ? [findMachine()?.removeJob(job.project.hpc, job.jobId)] : []),
    removeRelaysOf({ table, results }, job.owner, job.jobId),
  ]);
}
