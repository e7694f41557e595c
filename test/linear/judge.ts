import { expect } from 'vitest';
import { accountsOf } from './accounts.ts';
import { findOrder } from './find-order.ts';
import { firstBudget, firstGrants, type History } from './play.ts';

/** Fails with what could not be explained, unless everything happened one at a time in some order. */
export function expectOrder(history: History, unit: number, seed: number): void {
  const grants = firstGrants.map((units) => units * unit);
  const verdict = findOrder(history, accountsOf(grants, firstBudget * unit));
  if (verdict.isLinear) return;
  const explained = verdict.explained.flatMap((place) => history[place] ?? []);
  const rest = history.filter((_, place) => !verdict.explained.includes(place));
  const write = (calls: History) => calls.map((call) => JSON.stringify(call)).join('\n');
  expect.fail(
    `seed ${seed} has no order. In the best one, ${explained.length} calls came first:\n` +
      `${write(explained)}\nand none of these could come next:\n${write(rest)}`,
  );
}
