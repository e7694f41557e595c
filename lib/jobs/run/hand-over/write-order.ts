import { resultsKey } from '#lib/files/object-keys.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import { JobNotFoundError } from '../../errors.ts';
import type { Job } from '../../job.ts';
import { readRequest } from '../../job-request.ts';
import type { Sweep } from '../sweep/sweep.ts';

/** As long as a signature can be good for. A job that waits longer cannot send its results. */
const addressSeconds = 7 * 24 * 3600;

/**
 * What a job's system is given. Its files travel by addresses that are signed for them alone, or
 * through this process, which holds no more of them than a piece.
 */
export async function writeOrder({ table, files }: Sweep, job: Job): Promise<JobOrder> {
  const stored = await readRequest(table, job);
  if (!stored) throw new JobNotFoundError();
  const { input, ...request } = stored;
  const { key } = input;
  const { inputs, results } = files;
  return {
    ...request,
    jobId: job.jobId,
    owner: job.owner,
    hours: job.runtime,
    title: job.title,
    resultsAddress: await results.addressToWrite(resultsKey(job.owner, job.jobId), {
      expiresInSeconds: addressSeconds,
    }),
    ...(key !== undefined && {
      input: {
        fileName: input.fileName,
        address: await inputs.addressToRead(key, { expiresInSeconds: addressSeconds }),
        open: () => inputs.open(key),
      },
    }),
  };
}
