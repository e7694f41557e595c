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
