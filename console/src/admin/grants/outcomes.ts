import { describeChange } from '#client/src/changes/describe-change.ts';
import { describeProblem } from '#client/src/changes/describe-problem.ts';
import type { Charging } from '#client/src/format/node-time.ts';
import type { GrantedRow } from '#client/src/index.ts';

/** `3 granted, 1 refused` */
export function countOutcomes(outcomes: readonly GrantedRow[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name.replace('-', ' ')}`).join(', ');
}

/** Rows by which something changes. */
export function countChanges(outcomes: readonly GrantedRow[]): number {
  return outcomes.filter(({ outcome }) => outcome === 'granted' || outcome === 'corrected').length;
}

/** Rows that sending it again may still do. */
export function countOpen(outcomes: readonly GrantedRow[]): number {
  return outcomes.filter(isOpen).length;
}

export function isOpen({ outcome }: GrantedRow): boolean {
  return outcome === 'refused' || outcome === 'not-done';
}

/** What a grant changed or would change, in hours and days. */
export function describeOutcome(row: GrantedRow, charging: Charging): string {
  if (row.outcome === 'not-done') return 'There was no time for it. Send it again.';
  if (row.outcome === 'refused') return describeProblem(row.problem);
  return describeChange(row.change, charging) || 'It is so already.';
}
