import { describeChange } from '#client/src/changes/describe-change.ts';
import { describeRefusal } from '#client/src/changes/describe-refusal.ts';
import type { Charging } from '#client/src/format/amounts/amounts.ts';
import type { GrantedRow } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { phrase } from './words.ts';

/** Writes `3 granted, 1 refused`. */
export function countOutcomes(outcomes: readonly GrantedRow[]): string {
  const counts = new Map<string, number>();
  for (const name of outcomes.map(nameOutcome)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

export function nameOutcome({ outcome }: GrantedRow): string {
  return term(outcome).replace('-', ' ');
}

/** Counts the rows that change something. */
export function countChanges(outcomes: readonly GrantedRow[]): number {
  return outcomes.filter(({ outcome }) => outcome === 'granted' || outcome === 'corrected').length;
}

/** Counts the rows that may succeed if they are sent again. */
export function countOpen(outcomes: readonly GrantedRow[]): number {
  return outcomes.filter(isOpen).length;
}

export function isOpen({ outcome }: GrantedRow): boolean {
  return outcome === 'refused' || outcome === 'not-done';
}

/** Describes in hours and days what a grant changes. */
export function describeOutcome(row: GrantedRow, charging: Charging): string {
  if (row.outcome === 'not-done') return phrase('timeRanOut');
  if (row.outcome === 'refused') return describeRefusal(row.problem);
  return describeChange(row.change, charging) || phrase('noChangeNeeded');
}
