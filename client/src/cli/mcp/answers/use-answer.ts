import * as z from 'zod';
import type { Job, Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { readUse } from '../../account/read-use.ts';
import { presentTime, TimeAnswer } from './time-answer.ts';

export const UseAnswer = z
  .object({ used: TimeAnswer, returned: TimeAnswer })
  .describe('what an ended job used of what it reserved');

export type UseAnswer = z.infer<typeof UseAnswer>;

/** Nothing before its end: then nobody knows. */
export async function presentUse(client: Slipway, job: Job): Promise<UseAnswer | null> {
  if (!job.terminal_stage) return null;
  const [use, chargingOf] = await Promise.all([readUse(client, job), readCharging(client)]);
  const charging = chargingOf(job.project_hpc);
  return (
    use && {
      used: presentTime(use.used, charging),
      returned: presentTime(use.returned, charging),
    }
  );
}

export function writeUse(use: UseAnswer | null): string[] {
  return use ? [`It used ${use.used.text}; ${use.returned.text} went back to the quota.`] : [];
}
