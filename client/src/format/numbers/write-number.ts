import type { formats as messages } from '../../words/formats.ts';
import { phrase } from '../../words/formats.ts';
import { currentLanguage } from '../../words/language.ts';

export type Rounding = 'halfExpand' | 'floor' | 'ceil';

/** Writes a number with hundredths, and a smaller one with two digits that say something. */
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

/** Counts the decimals that `writeNumber` shows, rounding down. */
export function countDecimals(value: number): number {
  return write(value, 'floor', 'en-US').split('.')[1]?.length ?? 0;
}

/** A format takes a tenth of a millisecond to create, which a chart with its texts would notice. */
const formats = new Map<string, Intl.NumberFormat>();

function write(value: number, roundingMode: Rounding, locale: string): string {
  return writeAs(value, locale, { roundingMode, ...choosePlaces(Math.abs(value)) });
}

function writeAs(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format.format(value);
}

interface Decimals {
  /** Whether zeros at the end are shown, as in a column. */
  readonly isFixed?: boolean;
  /** Whether a gain has a sign as well. */
  readonly hasSign?: boolean;
}

/** Writes a number that is rounded already, with at most these decimals. */
export function writeDecimals(
  value: number,
  decimals: number,
  { isFixed = false, hasSign = false }: Decimals = {},
): string {
  return writeAs(value, currentLanguage().digits, {
    minimumFractionDigits: isFixed ? decimals : 0,
    maximumFractionDigits: decimals,
    signDisplay: hasSign ? 'exceptZero' : 'negative',
  });
}

function choosePlaces(size: number): Intl.NumberFormatOptions {
  return size >= 0.1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
}

/**
 * Reads a number as the pages of the reader write it: `12000`, `12,000` and `2.5`, in German `12.000`
 * and `2,5`. What another language may mean by it is not guessed: in English, `2,5` is two and a half
 * to many and must not become 25, and in German `12,000` could be either.
 */
export function readNumber(text: string): number | undefined {
  const hasComma = writeNumber(1.5).includes(',');
  const [group, point] = hasComma ? ['.', ','] : [',', '.'];
  const plain = new RegExp(`^(\\d+|[1-9]\\d{0,2}([${group}]\\d{3})+)([${point}]\\d+)?$`);
  if (hasComma && /^[1-9]\d{0,2},\d{3}$/.test(text)) return undefined;
  if (plain.test(text)) return Number(text.replaceAll(group, '').replace(point, '.'));
  return hasComma && /^\d+\.\d+$/.test(text) ? Number(text) : undefined;
}

/** Reads a whole number from 1, also with groups as the pages write it: `1,000`. */
export function readWhole(text: string): number | undefined {
  const value = readNumber(text.trim());
  // Decimals are refused, because `1.000` is a thousand to many.
  return value !== undefined && value > 0 && text.replaceAll(/\D/g, '') === String(value)
    ? value
    : undefined;
}

type Counted<Key> = Key extends `count.${infer Thing}` ? Thing : never;

/** Writes `1 node` or `1,200 nodes`. */
export function writeCount(many: number, thing: Counted<keyof typeof messages>): string {
  return phrase(`count.${thing}`, { count: many });
}
