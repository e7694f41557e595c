import { median } from '../measure/percentile.ts';
import type { Operation, SeededEdition } from './start-seeded-edition.ts';
import { timeRequest } from './time-request.ts';

const rounds = 20;

/**
 * The median time of an operation on each edition. They take turns in short rounds, so that
 * whatever else the machine does meets all of them.
 */
export async function measureInTurn(
  editions: readonly SeededEdition[],
  operation: Operation,
  perRound: number,
): Promise<number[]> {
  const times = editions.map((): number[] => []);
  // The first rounds are for the compiler.
  for (let round = -rounds / 4; round < rounds; round += 1) {
    const order = [...editions.entries()];
    // What one has set off behind its answers disturbs the next: so each is the next in its turn.
    if (round % 2 !== 0) order.reverse();
    for (const [index, { edition, operations }] of order) {
      for (let count = 0; count < perRound; count += 1) {
        const spent = await timeRequest(edition.url, operations[operation]());
        if (round >= 0) times[index]?.push(spent);
      }
    }
  }
  return times.map(median);
}
