import { StaleReadError, TableBusyError } from '../errors.ts';

/** A high limit is safe, because a round fails only if another change was written. */
const maxRounds = 50;

/**
 * Reads, decides and writes. If the data changed after it was read, starts again, at once or after
 * a pause if many write the same item.
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
