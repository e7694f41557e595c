import { readDuration } from './duration.ts';
import { writeNumber } from './write-number.ts';

/**
 * What a second of a quota is a second of. Sums over systems that charge differently are `mixed`, and
 * so is everything of a system that is not known (any more).
 */
export type Charging = 'wall-clock' | 'node' | 'core' | 'mixed';

const units = {
  'wall-clock': 'hour',
  node: 'node-hour',
  core: 'core-hour',
  mixed: 'charged hour',
} as const satisfies Record<Charging, string>;

/** The one unit of all of them, if they have one. */
export function joinCharging(all: Iterable<Charging>): Charging {
  const [first = 'mixed', ...others] = new Set(all);
  return others.length === 0 ? first : 'mixed';
}

/** The unit of many: `node-hours`. */
export function nameUnit(charging: Charging): string {
  return `${units[charging]}s`;
}

/** The same at the head of a column: `Node-hours`. */
export function headUnit(charging: Charging): string {
  const unit = nameUnit(charging);
  return `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
}

/** `1 node-hour`, `4,999 node-hours`. */
export function writeNodeTime(seconds: number, charging: Charging): string {
  return withUnit(writeNodeHours(seconds), charging);
}

/** `12,289 node-hours` of 12,288.2: what is needed is never made less than it is. */
export function writeNeed(seconds: number, charging: Charging): string {
  return withUnit(writeNumber(seconds / 3600, 'ceil'), charging);
}

/** `4,998 node-hours` of 4,998.7: what is left is never made more than it is. */
export function writeRest(left: number, charging: Charging): string {
  return withUnit(writeHoursLeft(left), charging);
}

function withUnit(hours: string, charging: Charging): string {
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

/** `4,999 of 5,000`, for the same reason. */
export function writeLeft(left: number, granted: number): string {
  return `${writeHoursLeft(left)} of ${writeNodeHours(granted)}`;
}

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
