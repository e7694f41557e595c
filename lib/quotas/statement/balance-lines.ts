import type { Amount } from '../quota.ts';
import type { StoredLine } from './stored-line.ts';
import { subtract } from './sum-lines.ts';

/** A line, and what was left after it. */
export interface BalancedLine extends StoredLine {
  readonly left: Amount;
}

/**
 * What was left after each line, from the newest to the oldest. It stands in no line: a
 * transaction does not know it, and all of them together are what is left now.
 */
export function balanceLines(lines: readonly StoredLine[], leftNow: Amount): BalancedLine[] {
  let left = leftNow;
  return lines.map((line) => {
    const balanced = { ...line, left };
    left = subtract(left, line);
    return balanced;
  });
}
