import { writeNumber } from './write-number.ts';

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `3.1 MB`: a kilobyte is 1,000 bytes, as in quotas. */
export function writeSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be written as 1,000 is one of the next unit.
  while (Math.abs(value) >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit === 0) return Math.abs(value) === 1 ? `${value} byte` : `${writeNumber(value)} bytes`;
  return `${writeNumber(Math.abs(value) < 10 ? Math.round(value * 10) / 10 : value)} ${units[unit]}`;
}
