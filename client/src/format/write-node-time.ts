import { writeNumber } from './write-number.ts';

/** What a second of a quota is a second of. */
export type Charging = 'wall-clock' | 'node' | 'core';

const units = {
  'wall-clock': 'hour',
  node: 'node-hour',
  core: 'core-hour',
} as const satisfies Record<Charging, string>;

/** The unit of many: `node-hours`. */
export function nameUnit(charging: Charging): string {
  return `${units[charging]}s`;
}

/** `1 node-hour`, `4,999 node-hours`. */
export function writeNodeTime(seconds: number, charging: Charging = 'node'): string {
  const hours = writeNodeHours(seconds);
  return `${hours} ${units[charging]}${hours === '1' || hours === '-1' ? '' : 's'}`;
}

/** The number alone, for a column whose head has the unit. */
export function writeNodeHours(seconds: number): string {
  return writeNumber(seconds / 3600);
}

/** What is left, for a column: never more than it is. */
export function writeHoursLeft(seconds: number): string {
  return writeNumber(seconds / 3600, 'floor');
}

/** `4,999 of 5,000`: what is left is never made more than it is. */
export function writeLeft(left: number, granted: number): string {
  return `${writeHoursLeft(left)} of ${writeNodeHours(granted)}`;
}

/** `4,998 node-hours` of 4,998.7, for the same reason. */
export function writeRest(left: number, charging: Charging): string {
  const hours = writeHoursLeft(left);
  return `${hours} ${units[charging]}${hours === '1' ? '' : 's'}`;
}
