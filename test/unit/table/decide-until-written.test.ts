import { describe, expect, it } from 'vitest';
import { StaleReadError, TableBusyError } from '#lib/table/errors.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';

class Changed extends StaleReadError {
  override readonly name = 'Changed';
}

/** Spoiled so many times, then written. */
function attemptSpoiled(times: number) {
  let rounds = 0;
  return {
    rounds: () => rounds,
    attempt: async () => {
      rounds += 1;
      if (rounds <= times) throw new Changed();
      return `in round ${rounds}`;
    },
  };
}

describe('decideUntilWritten', () => {
  it.each([0, 1, 49])('decides anew after %i changes', async (times) => {
    const { attempt, rounds } = attemptSpoiled(times);
    expect(await decideUntilWritten(attempt)).toBe(`in round ${times + 1}`);
    expect(rounds()).toBe(times + 1);
  });

  it('gives up after fifty rounds', async () => {
    const { attempt, rounds } = attemptSpoiled(50);
    await expect(decideUntilWritten(attempt)).rejects.toThrow(TableBusyError);
    expect(rounds()).toBe(50);
  });

  it('decides once where something else is in the way', async () => {
    let rounds = 0;
    const attempt = async () => {
      rounds += 1;
      throw new Error('down');
    };
    await expect(decideUntilWritten(attempt)).rejects.toThrow('down');
    expect(rounds).toBe(1);
  });
});
