import type { formats as messages } from '../words/formats.ts';
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

/** A format takes a tenth of a millisecond to create, which a chart with its texts would notice. */
const formats = new Map<string, Intl.NumberFormat>();

function write(value: number, roundingMode: Rounding, locale: string): string {
  const places = choosePlaces(Math.abs(value));
  const key = `${locale} ${roundingMode} ${JSON.stringify(places)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { roundingMode, ...places });
  formats.set(key, format);
  return format.format(value);
}

function choosePlaces(size: number): Intl.NumberFormatOptions {
  if (size >= 1000) return { maximumFractionDigits: 0 };
  if (size >= 10) return { maximumFractionDigits: 1 };
  return size >= 0.1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
}

type Counted<Key> = Key extends `count.${infer Thing}` ? Thing : never;

/** Writes `1 node` or `1,200 nodes`. */
export function writeCount(many: number, thing: Counted<keyof typeof messages>): string {
  return phrase(`count.${thing}`, { count: many });
}
