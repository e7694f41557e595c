import { type Job, type JobSum, type Slipway, SlipwayProblem } from '../../index.ts';

/** Seconds that a job reserved, used of that and gave back. */
export interface JobUse {
  readonly held: number;
  readonly used: number;
  readonly returned: number;
}

/** As the ledger has it; nothing where that is not found. */
export async function readUse(client: Slipway, job: Job): Promise<JobUse | null> {
  const lines = await readSums(client, job);
  const line = lines.find(({ job_id: id }) => id === job.job_id);
  if (!line) return null;
  const { held, used, returned } = line;
  return { held: held.time, used: used.time, returned: returned.time };
}

async function readSums(client: Slipway, job: Job): Promise<readonly JobSum[]> {
  const { project_hpc: hpc, project_name, init_date: since } = job;
  try {
    return await client.readLedger({ hpc: hpc.toLowerCase(), project_name, sum: 'job', since });
  } catch (error) {
    // Thousands of lines since then are too many to add up: the job can be shown without them.
    if (error instanceof SlipwayProblem && error.status === 400) return [];
    throw error;
  }
}
