import { phrase } from '../../words/formats.ts';
import { writeParts, writeSteps } from '../numbers/add-up.ts';
import { isTyped } from '../numbers/typed-words.ts';
import { type Rounding, readNumber, roundNumber, writeNumber } from '../numbers/write-number.ts';
import { readDuration } from '../times/duration.ts';

const chargings = ['wall-clock', 'node', 'core', 'weights', 'mixed'] as const;

/**
 * What a second of a quota counts. Sums over systems that charge differently are `mixed`, as are
 * unknown and removed systems.
 */
export type Charging = (typeof chargings)[number];

/** Returns the unit that all share, or `mixed`. */
export function joinCharging(all: Iterable<Charging>): Charging {
  const [first = 'mixed', ...others] = new Set(all);
  return others.length === 0 ? first : 'mixed';
}

/** Returns the plural unit: `node-hours`. */
export function nameUnit(charging: Charging): string {
  return phrase(`unit.${charging}`);
}

/** Returns the unit as a column heading: `Node-hours`. */
export function headUnit(charging: Charging): string {
  const unit = nameUnit(charging);
  return `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
}

/** Shorter times are written in seconds, because nobody reads 0.012 hours as 42 seconds. */
const shortestHours = 0.1;

/** Writes `42 node-seconds`, `1 node-hour` or `4,999 node-hours`. */
export function writeNodeTime(seconds: number, charging: Charging): string {
  const hours = seconds / 3600;
  return seconds === 0 || Math.abs(hours) >= shortestHours
    ? writeHours(hours, charging)
    : phrase(`seconds.${charging}`, roundNumber(seconds));
}

/** Writes a needed time, rounded up: `12,289 node-hours` for 12,288.2. */
export function writeNeed(seconds: number, charging: Charging): string {
  return writeHours(seconds / 3600, charging, 'ceil');
}

/** Writes a remaining time, rounded down: `4,998 node-hours` for 4,998.7. */
export function writeRest(left: number, charging: Charging): string {
  return writeHours(left / 3600, charging, 'floor');
}

function writeHours(hours: number, charging: Charging, rounding?: Rounding): string {
  return phrase(`hours.${charging}`, roundNumber(hours, rounding));
}

/** Writes the number alone, for a column whose heading has the unit. */
export function writeNodeHours(seconds: number): string {
  return writeNumber(seconds / 3600);
}

/**
 * Writes parts of an account, what is left first, and what they are together, so that they add up as
 * they are shown: as bare numbers, and with their unit.
 */
export function writeShares(seconds: readonly number[], charging: Charging) {
  const { parts, whole } = writeParts(seconds.map((part) => part / 3600));
  return {
    hours: parts.map(({ amount }) => amount),
    times: parts.map((part) => phrase(`hours.${charging}`, part)),
    whole: whole.amount,
    total: phrase(`hours.${charging}`, whole),
  };
}

interface Reservation {
  readonly held: number;
  readonly returned: number;
}

/**
 * Writes what a job reserved, and what of it was used and came back, in one unit: seconds below an
 * hour, of which a quick job uses few.
 */
export function writeReservation({ held, returned }: Reservation, charging: Charging) {
  const parts = [returned, held - returned];
  if (held < 3600) {
    const [back, used, whole] = [...parts, held].map((seconds) =>
      phrase(`seconds.${charging}`, roundNumber(seconds)),
    );
    return { returned: back, used, reserved: whole };
  }
  const { times, total } = writeShares(parts, charging);
  return { returned: times[0], used: times[1], reserved: total };
}

/** Writes `4,999.2 of 5,000`. */
export function writeLeft(left: number, granted: number): string {
  return joinLeft(writeShares([left, granted - left], 'mixed'));
}

/** Writes the first of these parts as what is left of them. */
export function joinLeft({
  hours,
  whole,
}: Pick<ReturnType<typeof writeShares>, 'hours' | 'whole'>) {
  return phrase('leftOfGranted', { left: hours[0] ?? '', granted: whole });
}

/** Writes the hours of a column, whose heading has the unit, so that they add up as they are shown. */
export function writeColumn<Row>(
  rows: readonly Row[],
  read: (row: Row) => number,
): (row: Row) => string {
  const hours = rows.map((row) => read(row) / 3600);
  const { parts } = writeParts(hours, { leftFirst: false });
  const texts = new Map(rows.map((row, at) => [row, parts[at]?.amount ?? '']));
  return (row) => texts.get(row) ?? '';
}

/** Writes the hours of lines of a ledger, so that each leads to the next one. */
export function writeLedger(
  lines: readonly { readonly time: number; readonly time_left: number }[],
) {
  const stepOf = ({ time, time_left: left }: { time: number; time_left: number }) => ({
    change: time / 3600,
    after: left / 3600,
  });
  const write = writeSteps(lines.map(stepOf));
  return (line: { readonly time: number; readonly time_left: number }) => write(stepOf(line));
}

/**
 * Reads seconds of a quota: `500 node-hours`, `500h`, `+2.5 hours`, `-20h`, or a bare number of
 * node-hours. What the pages write can be typed: `10.000 Knotenstunden`, `42 node-seconds`.
 */
export function readNodeTime(text: string): number | undefined {
  const found = /^\s*([+-]?)\s*(\d[\d,.]*)\s*(.*?)\s*$/.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const count = readNumber(number);
  if (count === undefined) return undefined;
  const isOf = (scale: 'seconds' | 'hours') =>
    chargings.some((charging) => isTyped(unit, `${scale}.${charging}`));
  const seconds = isOf('seconds')
    ? count
    : unit === '' || isOf('hours')
      ? count * 3600
      : readDuration(`${number}${unit}`);
  if (seconds === undefined || Number.isNaN(seconds)) return undefined;
  return Math.round(sign === '-' ? -seconds : seconds);
}

const sizeUnits = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Writes `3.1 MB`. A kilobyte is 1,000 bytes, as in quotas. What can be had is rounded down. */
export function writeSize(bytes: number, rounding: 'halfExpand' | 'floor' = 'halfExpand'): string {
  const round = rounding === 'floor' ? Math.floor : Math.round;
  // A number that rounds to 1,000 is 1 of the next unit.
  const { value, unit } = chooseUnit(bytes, rounding === 'floor' ? 1000 : 999.95);
  if (unit === 0) return phrase('bytes', roundNumber(round(value)));
  return `${writeNumber(round(value * 10) / 10)} ${sizeUnits[unit]}`;
}

/** Writes kilobytes that are left, and the whole in the same unit: `9.95 GB` and `10 GB`. */
export function writeSpaceLeft(space: { readonly left: number; readonly granted: number }) {
  const [left, granted] = [space.left * 1000, space.granted * 1000];
  const { unit, divisor } = chooseUnit(granted, 999.95);
  const { parts, whole } = writeParts([left / divisor, (granted - left) / divisor]);
  const write = (shown = whole) =>
    unit === 0 ? phrase('bytes', shown) : `${shown.amount} ${sizeUnits[unit]}`;
  return { left: write(parts[0]), granted: write() };
}

/** Writes `9.95 GB of 10 GB`. */
export function writeSpaceOf(space: Parameters<typeof writeSpaceLeft>[0]): string {
  return phrase('leftOfGranted', writeSpaceLeft(space));
}

function chooseUnit(bytes: number, most: number) {
  let divisor = 1;
  let unit = 0;
  while (Math.abs(bytes) / divisor >= most && unit < sizeUnits.length - 1) {
    divisor *= 1000;
    unit += 1;
  }
  return { value: bytes / divisor, unit, divisor };
}

const bytesOf: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
};

/**
 * Reads kilobytes of 1,000 bytes: `10 GB`, `500mb`. Rounds a begun kilobyte up, given or taken, as
 * for the input of a job. Refuses a number without a unit.
 */
export function readKilobytes(text: string): number | undefined {
  const found = /^\s*([+-]?)(\d[\d,.]*)\s*(\p{L}+)\s*$/u.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const count = readNumber(number);
  const bytes = isTyped(unit, 'bytes') ? 1 : bytesOf[unit.toLowerCase()];
  if (count === undefined || bytes === undefined) return undefined;
  // Floating point makes 1.1 MB 1,100,000.0000000002 bytes.
  const exact = Number(((count * bytes) / 1000).toFixed(6));
  const whole = Math.ceil(exact);
  return sign === '-' && whole > 0 ? -whole : whole;
}
