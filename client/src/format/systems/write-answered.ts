import type { SystemReport } from '../../generated/operations.ts';
import { writeNumber } from '../numbers/write-number.ts';

export type SystemDay = NonNullable<SystemReport['history']>[number];

/** Adds up the minutes of some days. */
export function sumDays(days: readonly SystemDay[]) {
  const sum = (kind: 'up' | 'slow' | 'down') => days.reduce((all, each) => all + each[kind], 0);
  return { up: sum('up'), slow: sum('slow'), down: sum('down') };
}

/**
 * Writes in which share of the minutes a system answered, among those in which it was checked:
 * `99.8 %`. Rounds down, so that a short outage never becomes 100 %. Empty without any check.
 */
export function writeAnswered(days: readonly SystemDay[]): string {
  const { up, slow, down } = sumDays(days);
  const checked = up + slow + down;
  return checked === 0 ? '' : `${writeNumber(Math.floor((1000 * (up + slow)) / checked) / 10)} %`;
}
