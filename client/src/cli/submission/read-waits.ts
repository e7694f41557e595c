import type { Slipway } from '../../index.ts';
import { findWork, isBatch, mayBeWhole } from '../session/find.ts';

/** What a job waits for, with ids or their beginnings. */
interface WaitOptions {
  readonly after?: readonly string[] | undefined;
  readonly afterAny?: readonly string[] | undefined;
  readonly inputFrom?: string | undefined;
  readonly inputFolder?: string | undefined;
  readonly inputFailed?: 'refuse' | 'leave_out' | undefined;
}

/** Completes the ids of jobs and batches to wait for, which may be given by their beginnings. */
export async function readWaits(client: Slipway, options: WaitOptions): Promise<WaitOptions> {
  const { after, afterAny, inputFrom, inputFolder, inputFailed } = options;
  const complete = async (id: string) => {
    const whole = id.toUpperCase();
    if (mayBeWhole(whole)) return whole;
    const found = await findWork(client, id);
    return isBatch(found) ? found.batch_id : found.job_id;
  };
  return {
    after: after && (await Promise.all(after.map(complete))),
    afterAny: afterAny && (await Promise.all(afterAny.map(complete))),
    inputFrom: inputFrom && (await complete(inputFrom)),
    inputFolder,
    inputFailed,
  };
}
