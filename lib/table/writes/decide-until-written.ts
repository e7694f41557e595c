import { StaleReadError, TableBusyError } from '../errors.ts';

/** Each round is spoiled only by another change that came through. */
const maxRounds = 50;

/**
 * Reads, decides and writes; what was decided by something that has changed since is decided anew,
 * at once or, where many write the same, after a pause.
 */
export async function decideUntilWritten<Decided>(
  attempt: () => Promise<Decided>,
  pause: (round: number) => Promise<unknown> = async () => undefined,
): Promise<Decided> {
  for (let round = 0; round < maxRounds; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
      await pause(round);
    }
  }
  throw new TableBusyError();
}
