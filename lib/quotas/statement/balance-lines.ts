import type { Amount } from '../quota.ts';
import { subtract } from './sum-lines.ts';
import type { LedgerEntry } from './walk-ledger.ts';

/** A line, and what was left after it. */
export interface BalancedLine extends LedgerEntry {
  readonly left: Amount;
}

/**
 * What was left after each line, from the newest to the oldest. It stands in no line: a
 * transaction does not know it, and all of them together are what is left now.
 */
export function balanceLines(lines: readonly LedgerEntry[], leftNow: Amount): BalancedLine[] {
  let left = leftNow;
  return lines.map((line) => {
    const balanced = { ...line, left };
    left = subtract(left, line);
    return balanced;
  });
}
