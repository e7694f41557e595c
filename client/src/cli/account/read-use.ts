import type { Job, Slipway } from '../../index.ts';

/** Seconds that a job reserved, used of that and gave back. */
export interface JobUse {
  readonly held: number;
  readonly used: number;
  readonly returned: number;
}

/** As the ledger has it; nothing where its lines are not among those of the last thousand jobs. */
export async function readUse(client: Slipway, job: Job): Promise<JobUse | null> {
  const lines = await client.readLedger({
    hpc: job.project_hpc.toLowerCase(),
    project_name: job.project_name,
    sum: 'job',
    since: job.init_date,
    limit: 1000,
  });
  const line = lines.find(({ job_id: id }) => id === job.job_id);
  if (!line) return null;
  const { held, used, returned } = line;
  return { held: held.time, used: used.time, returned: returned.time };
}
