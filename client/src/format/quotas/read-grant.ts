import type { Operations } from '../../generated/operations.ts';
import { isTyped } from '../numbers/typed-words.ts';
import { findMonth, readDay } from '../times/day.ts';

/** How a quota or a budget renews. */
export type Renewal = NonNullable<Parameters<Operations['grantQuota']>[0]['body']['renews']>;

export const periods = ['monthly', 'quarterly', 'yearly'] as const satisfies Renewal['every'][];

/** Reads the number of a user, and refuses a project in its place. */
export function readUserNumber(text: string): string | undefined {
  return /^(0|[1-9]\d*)$/.exec(text.trim())?.[0];
}

/** Reads the last day of a quota; null means no end. */
export function readEnd(text: string, now: Date): string | null | undefined {
  return isTyped(text, 'typed.never') ? null : readDay(text, now);
}

/** Whether a new last day cuts a quota short. Null means no end. */
export function endsEarlier(end: string | null, { valid_until: before }: Ending): boolean {
  return end !== null && (before === null || end < before.slice(0, 10));
}

interface Ending {
  readonly valid_until: string | null;
}

/** The last day that every month has. */
export const lastDay = 28;

export type DayOfPeriod = Pick<Renewal, 'on' | 'month'>;

/** Reads `1`, `1st`, or `1 October` for quarters and years that do not begin in January. */
export function readDayOfPeriod(text: string): DayOfPeriod | undefined {
  const [, day = '', word] =
    /^(\d{1,2})(?:st|nd|rd|th)?\.?(?:\s+(\p{L}+))?$/iu.exec(text.trim()) ?? [];
  const on = Number(day);
  if (on < 1 || on > lastDay) return undefined;
  if (word === undefined) return { on };
  const month = findMonth(word);
  return month === undefined ? undefined : { on, month };
}
