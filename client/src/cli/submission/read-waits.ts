import type { Slipway, Submission } from '../../index.ts';
import { findWork, idOf, mayBeWhole } from '../session/find.ts';

/** What a job waits for, with ids or their beginnings. */
type WaitOptions = Pick<
  Submission,
  'after' | 'afterAny' | 'inputFrom' | 'inputFolder' | 'inputFailed'
>;

/** Completes the ids of jobs and batches to wait for, which may be given by their beginnings. */
export async function readWaits(client: Slipway, options: WaitOptions): Promise<WaitOptions> {
  const { after, afterAny, inputFrom, inputFolder, inputFailed } = options;
  const complete = async (id: string) => {
    const whole = id.toUpperCase();
    return mayBeWhole(whole) ? whole : idOf(await findWork(client, id));
  };
  return {
    after: after && (await Promise.all(after.map(complete))),
    afterAny: afterAny && (await Promise.all(afterAny.map(complete))),
    inputFrom: inputFrom && (await complete(inputFrom)),
    inputFolder,
    inputFailed,
  };
}
