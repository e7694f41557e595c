import { readDuration } from './read-duration.ts';

/**
 * Seconds of a quota: `500 node-hours`, `500h`, `+2.5 hours`, `-20h`, or a number of node-hours
 * alone.
 */
export function readNodeTime(text: string): number | undefined {
  const found = /^\s*([+-]?)\s*(\d[\d,]*(?:\.\d+)?)\s*(.*?)\s*$/.exec(text);
  if (!found) return undefined;
  const [, sign, number = '', unit = ''] = found;
  const count = number.replaceAll(',', '');
  const seconds =
    unit === '' || /^(node|core)[- ]?hours?$/i.test(unit)
      ? Number(count) * 3600
      : readDuration(`${count}${unit}`);
  if (seconds === undefined || Number.isNaN(seconds)) return undefined;
  return Math.round(sign === '-' ? -seconds : seconds);
}
