import type { formats } from '../words/formats.ts';
import { phrase } from '../words/formats.ts';
import { currentLanguage } from '../words/language.ts';

export type Rounding = 'halfExpand' | 'floor' | 'ceil';

/** Writes a number with fewer decimals the larger it is. */
export function writeNumber(value: number, rounding: Rounding = 'halfExpand'): string {
  return write(value, rounding, currentLanguage().digits);
}

/** Returns the number that `writeNumber` shows, and as text. Its plural depends on it. */
export function roundNumber(value: number, rounding: Rounding = 'halfExpand') {
  return {
    count: Number(write(value, rounding, 'en-US').replaceAll(',', '')),
    amount: writeNumber(value, rounding),
  };
}

/** Counts the decimals that `writeNumber` shows. */
export function countDecimals(value: number): number {
  return write(value, 'halfExpand', 'en-US').split('.')[1]?.length ?? 0;
}

function write(value: number, roundingMode: Rounding, locale: string): string {
  return value.toLocaleString(locale, { roundingMode, ...choosePlaces(Math.abs(value)) });
}

function choosePlaces(size: number): Intl.NumberFormatOptions {
  if (size >= 1000) return { maximumFractionDigits: 0 };
  if (size >= 10) return { maximumFractionDigits: 1 };
  return size >= 0.1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
}

type Counted<Key> = Key extends `count.${infer Thing}` ? Thing : never;

/** Writes `1 node` or `1,200 nodes`. */
export function writeCount(many: number, thing: Counted<keyof typeof formats>): string {
  return phrase(`count.${thing}`, { count: many });
}
