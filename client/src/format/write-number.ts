const digits = 'en-US';

/** Writes a number with fewer decimals the larger it is. */
export function writeNumber(
  value: number,
  roundingMode: 'halfExpand' | 'floor' | 'ceil' = 'halfExpand',
) {
  return value.toLocaleString(digits, { roundingMode, ...choosePlaces(Math.abs(value)) });
}

function choosePlaces(size: number): Intl.NumberFormatOptions {
  if (size >= 1000) return { maximumFractionDigits: 0 };
  if (size >= 10) return { maximumFractionDigits: 1 };
  return size >= 0.1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
}

/** Writes `1 node` or `1,200 nodes`. */
export function writeCount(many: number, thing: string): string {
  return `${writeNumber(many)} ${thing}${many === 1 ? '' : 's'}`;
}
