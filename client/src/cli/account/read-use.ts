import type { Job, Slipway } from '../../index.ts';

export interface JobUse {
  /** Seconds. */
  readonly used: number;
  readonly returned: number;
}

/** What a job used of what it reserved, as the ledger has it. */
export async function readUse(client: Slipway, job: Job): Promise<JobUse | null> {
  const lines = await client.readLedger({
    hpc: job.project_hpc.toLowerCase(),
    project_name: job.project_name,
    sum: 'job',
    since: job.init_date,
    limit: 1000,
  });
  const line = lines.find(({ job_id: id }) => id === job.job_id);
  return line ? { used: line.used.time, returned: line.returned.time } : null;
}
