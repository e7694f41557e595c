import { writeNumber } from './write-number.ts';

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Writes `3.1 MB`. A kilobyte is 1,000 bytes, as in quotas. */
export function writeSize(bytes: number): string {
  // A number that rounds to 1,000 is 1 of the next unit.
  const { value, unit } = chooseUnit(bytes, 999.95);
  if (unit === 0) return Math.abs(value) === 1 ? `${value} byte` : `${writeNumber(value)} bytes`;
  return `${writeNumber(Math.abs(value) < 10 ? Math.round(value * 10) / 10 : value)} ${units[unit]}`;
}

/** Writes a remaining size, rounded down: `9.9 GB` for 9,999,999 KB. */
export function writeSizeLeft(bytes: number): string {
  const { value, unit } = chooseUnit(bytes, 1000);
  if (unit === 0) return writeSize(Math.floor(value));
  return `${writeNumber(value < 10 ? Math.floor(value * 10) / 10 : value, 'floor')} ${units[unit]}`;
}

function chooseUnit(
  bytes: number,
  most: number,
): { readonly value: number; readonly unit: number } {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= most && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return { value, unit };
}

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
 * Reads kilobytes of 1,000 bytes: `10 GB`, `500mb`. Rounds a begun kilobyte up, given or taken, as
 * for the input of a job. Refuses a number without a unit.
 */
export function readKilobytes(text: string): number | undefined {
  const found = /^\s*([+-]?)(\d[\d,]*(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const bytes = bytesOf[unit.toLowerCase()];
  if (!found || bytes === undefined) return undefined;
  // Floating point makes 1.1 MB 1,100,000.0000000002 bytes.
  const exact = Number(((Number(number.replaceAll(',', '')) * bytes) / 1000).toFixed(6));
  const whole = Math.ceil(exact);
  return sign === '-' && whole > 0 ? -whole : whole;
}
