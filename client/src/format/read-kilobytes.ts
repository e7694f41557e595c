const bytesOf: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
};

/**
 * Kilobytes of 1,000 bytes, as quotas count them: `10 GB`, `500mb`. A begun kilobyte counts as a whole
 * one, given or taken, as it does for the input of a job. A number without a unit is refused.
 */
export function readKilobytes(text: string): number | undefined {
  const found = /^\s*([+-]?)(\d[\d,]*(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const bytes = bytesOf[unit.toLowerCase()];
  if (!found || bytes === undefined) return undefined;
  // 1.1 MB is 1,100,000.0000000002 bytes to a computer.
  const exact = Number(((Number(number.replaceAll(',', '')) * bytes) / 1000).toFixed(6));
  const whole = Math.ceil(exact);
  return sign === '-' && whole > 0 ? -whole : whole;
}
