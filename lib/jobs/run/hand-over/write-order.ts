import type { JobOrder } from '#lib/hpc/connector.ts';
import { JobNotFoundError } from '../../errors.ts';
import type { Job } from '../../job.ts';
import { readRequest } from '../../job-request.ts';
import type { JobLife } from '../../life/job-life.ts';
import { tagJob } from '../../life/tag-job.ts';
import type { Sweep } from '../sweep/sweep.ts';

/**
 * What a job's system is given. Its files travel by addresses that are signed for them alone, or
 * through this process, which holds no more of them than a piece.
 */
export async function writeOrder(
  { table, files: { inputs }, addressesOf, now }: Sweep,
  job: Job,
  life: JobLife,
): Promise<JobOrder> {
  const stored = await readRequest(table, job);
  if (!stored) throw new JobNotFoundError();
  const { input, ...request } = stored;
  const { key } = input;
  const addresses = addressesOf(job, now());
  return {
    ...request,
    ...tagJob(job, life),
    hours: job.runtime,
    title: job.title,
    resultsAddress: addresses.results,
    outputAddress: addresses.output,
    ...(key !== undefined && {
      input: {
        fileName: input.fileName,
        address: addresses.input,
        open: () => inputs.open(key),
      },
    }),
  };
}
