const digits = 'en-US';

/** As many places as a person reads: fewer, the larger it is. */
export function writeNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return value.toLocaleString(digits, { maximumFractionDigits: 0 });
  if (size >= 10) return value.toLocaleString(digits, { maximumFractionDigits: 1 });
  if (size >= 0.1) return value.toLocaleString(digits, { maximumFractionDigits: 2 });
  return value.toLocaleString(digits, { maximumSignificantDigits: 2 });
}
