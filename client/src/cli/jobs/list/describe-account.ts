import { writeNodeHours, writeNodeTime } from '../../../format/write-node-time.ts';
import type { Job, Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { readUse } from '../../account/read-use.ts';

/** What a job reserves, or what it used of that; nothing where its ledger lines are not found. */
export async function describeAccount(client: Slipway, job: Job): Promise<string[]> {
  const [chargingOf, use] = await Promise.all([readCharging(client), readUse(client, job)]);
  if (!use) return [];
  const charging = chargingOf(job.project_hpc);
  const isSettled = use.used + use.returned >= use.held;
  if (job.terminal_stage && !isSettled) {
    const held = writeNodeTime(use.held, charging);
    return [`reserved ${held}, until the system has said how long it ran`];
  }
  return [
    job.terminal_stage
      ? `used ${writeNodeHours(use.used)}, returned ${writeNodeTime(use.returned, charging)}`
      : `reserved ${writeNodeTime(use.held, charging)}`,
  ];
}
