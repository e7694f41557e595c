import { ownStages } from '#lib/catalog/hpc-system.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { Table } from '#lib/table/table.ts';
import type { Job } from '../job.ts';
import { readRequest } from '../job-store.ts';

/**
 * The files of a job go when it is cancelled or deleted. Killed before it is done, it is done when
 * the request is repeated; what nobody repeats, the storage forgets by itself in time.
 */
export async function removeFiles(table: Table, files: JobFiles, job: Job): Promise<void> {
  if (job.stage !== ownStages.canceled && job.stage !== ownStages.deleted) return;
  const request = await readRequest(table, job);
  const { inputs, results } = files;
  await Promise.all([
    ...(request?.input ? [inputs.remove(request.input.key)] : []),
    results.remove(resultsKey(job.owner, job.jobId)),
  ]);
}
