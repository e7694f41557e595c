import { writeContainerScript } from '#lib/hpc/batch/container-script.ts';
import { limitOf } from '#lib/hpc/script-terms.ts';
import type { Table } from '#lib/table/table.ts';
import { roundUp } from '#lib/time/round-up.ts';
import { JobNotFoundError } from '../errors.ts';
import type { Job } from '../job.ts';
import { readRequest } from '../job-request.ts';
import type { JobAddresses } from '../run/sweep/sweep.ts';

/** Writes the script of a job whose container fetches it. */
export async function writeScript(
  table: Table,
  job: Job,
  { input, output, results }: JobAddresses,
): Promise<string> {
  const request = await readRequest(table, job);
  if (!request) throw new JobNotFoundError();
  return writeContainerScript({
    command: request.program,
    environment: request.environment,
    ...(request.input.key !== undefined && { input }),
    output,
    results,
    ...limitOf(roundUp(job.runtime * 60)),
  });
}
