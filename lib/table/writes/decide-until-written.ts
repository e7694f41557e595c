import { StaleReadError, TableBusyError } from '../errors.ts';

/** Each round is spoiled only by another change that came through. */
const maxRounds = 50;

/** Reads, decides and writes; what was decided by something that has changed since is decided anew. */
export async function decideUntilWritten<Decided>(
  attempt: () => Promise<Decided>,
): Promise<Decided> {
  for (let round = 0; round < maxRounds; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
    }
  }
  throw new TableBusyError();
}
