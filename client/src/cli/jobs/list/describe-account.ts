import { writeNodeHours, writeNodeTime } from '../../../format/write-node-time.ts';
import type { Job, Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { placeOf } from '../find/find-job.ts';

/** What a job reserves, or what it used of that; nothing where its ledger lines are not found. */
export async function describeAccount(client: Slipway, job: Job): Promise<string[]> {
  const { hpc, project_name } = placeOf(job);
  const [chargingOf, lines] = await Promise.all([
    readCharging(client),
    client.readLedger({ hpc, project_name, sum: 'job', since: job.init_date }),
  ]);
  const line = lines.find((each) => 'job_id' in each && each.job_id === job.job_id);
  if (!line || !('used' in line)) return [];
  const charging = chargingOf(job.project_hpc);
  const { used, returned, held } = line;
  return [
    job.terminal_stage
      ? `used ${writeNodeHours(used.time)}, returned ${writeNodeTime(returned.time, charging)}`
      : `reserved ${writeNodeTime(held.time, charging)}`,
  ];
}
