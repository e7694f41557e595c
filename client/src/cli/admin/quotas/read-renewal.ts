import { InvalidArgumentError } from '@commander-js/extra-typings';
import { everything } from '../../../changes/describe-change.ts';
import { findMonth } from '../../../format/write-day.ts';
import type { GrantRow } from '../../../index.ts';
import { CannotDo } from '../../outcome/outcome.ts';

type Renewal = NonNullable<GrantRow['renews']>;

export const periods = ['monthly', 'quarterly', 'yearly'] as const satisfies Renewal['every'][];

const lastDay = 28;

export interface DayOfPeriod {
  readonly on: number;
  readonly month?: number;
}

/** `1`, `1st`, or `1 October` where quarters or years begin elsewhere than in January. */
export function readDayOfPeriod(text: string): DayOfPeriod {
  const [, day = '', word] =
    /^(\d{1,2})(?:st|nd|rd|th)?\.?(?:\s+([a-z]+))?$/i.exec(text.trim()) ?? [];
  const month = word === undefined ? undefined : findMonth(word);
  const on = Number(day);
  if (on >= 1 && on <= lastDay && (word === undefined || month !== undefined)) {
    return { on, ...(month !== undefined && { month }) };
  }
  throw new InvalidArgumentError(`Write a day from 1 to ${lastDay}, such as 1 or "1 October".`);
}

export interface RenewalWishes {
  readonly every?: Renewal['every'] | undefined;
  readonly on?: DayOfPeriod | undefined;
  readonly carryOver?: number | undefined;
  /** Kilobytes. */
  readonly space?: number | undefined;
}

/** How a grant comes again and again. Space stays as it is unless each period brings some. */
export function readRenewal(
  time: number,
  { every, on, carryOver, space }: RenewalWishes,
): Renewal | undefined {
  if (every === undefined) {
    if (on === undefined && carryOver === undefined) return undefined;
    throw new CannotDo('Nothing says how often it renews.', {
      next: `Add --every ${periods.join(' or --every ')}.`,
    });
  }
  if (every === 'monthly' && on?.month !== undefined) {
    throw new CannotDo('What renews every month has no month.', { next: `Write --on ${on.on}.` });
  }
  return {
    every,
    on: 1,
    ...on,
    to: { time, space: space ?? 0 },
    carry_over: { time: carryOver ?? 0, space: space === undefined ? everything : 0 },
  };
}
