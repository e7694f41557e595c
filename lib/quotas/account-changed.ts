import { TableBusyError } from '#lib/table/errors.ts';
import { ProfileChangedError } from '#lib/users/profile-store.ts';

/** The account is not what the decision was made by: read it again, and decide again. */
export class AccountChangedError extends Error {
  override name = 'AccountChangedError';
}

/** Each round is spoiled only by another change that came through. */
const maxRounds = 50;

/** Reads, decides and writes; what was decided by what has changed since is decided anew. */
export async function decideUntilWritten<Decided>(
  attempt: () => Promise<Decided>,
): Promise<Decided> {
  for (let round = 0; round < maxRounds; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      const spoiled = error instanceof AccountChangedError || error instanceof ProfileChangedError;
      if (!spoiled) throw error;
    }
  }
  throw new TableBusyError();
}
