import type { Job, Slipway } from '#client/src/index.ts';
import { systemOf } from '../../address/system-of.ts';
import { linesOf, sumUpJob } from './ledger-lines.ts';

/** What one job reserved and got back, from the lines of its quota since it was submitted. */
export async function readJobAccount(
  service: Slipway,
  job: Job,
  signal: AbortSignal,
): Promise<ReturnType<typeof sumUpJob>> {
  const ledger = await service.readLedger(
    { hpc: systemOf(job), project_name: job.project_name, since: job.init_date, limit: 1000 },
    { signal },
  );
  return sumUpJob(linesOf(ledger).filter(({ job_id: id }) => id === job.job_id));
}
