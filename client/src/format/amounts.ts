import { phrase } from '../words/formats.ts';
import { currentLanguage } from '../words/language.ts';
import { readDuration } from './duration.ts';
import { countDecimals, type Rounding, roundNumber, writeNumber } from './write-number.ts';

/**
 * What a second of a quota counts. Sums over systems that charge differently are `mixed`, as are
 * unknown and removed systems.
 */
export type Charging = 'wall-clock' | 'node' | 'core' | 'weights' | 'mixed';

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

/** Writes a remaining time for a column, rounded down. */
function writeHoursLeft(seconds: number): string {
  return writeNumber(seconds / 3600, 'floor');
}

/** Writes what remains after a change, rounded down, with the decimals that the change is shown with. */
export function writeHoursAfter(seconds: number, change: number): string {
  const decimals = countDecimals(change / 3600);
  return (seconds / 3600).toLocaleString(currentLanguage().digits, {
    roundingMode: 'floor',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** Writes `4,999 of 5,000`, with the remaining time rounded down. */
export function writeLeft(left: number, granted: number): string {
  return phrase('leftOfGranted', { left: writeHoursLeft(left), granted: writeNodeHours(granted) });
}

/**
 * Reads seconds of a quota: `500 node-hours`, `500h`, `+2.5 hours`, `-20h`, or a bare number of
 * node-hours.
 */
export function readNodeTime(text: string): number | undefined {
  const found = /^\s*([+-]?)\s*(\d[\d,.]*)\s*(.*?)\s*$/.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const count = readNumber(number);
  if (count === undefined) return undefined;
  const seconds =
    unit === '' || /^(node|core|charged)[- ]?hours?$/i.test(unit)
      ? count * 3600
      : readDuration(`${count}${unit}`);
  if (seconds === undefined || Number.isNaN(seconds)) return undefined;
  return Math.round(sign === '-' ? -seconds : seconds);
}

/**
 * Reads `12000`, `12,000` and `2.5`, in every language alike, because tables of grants are read too.
 * A comma only groups digits by threes: `2,5` is two and a half to many, and must not become 25.
 */
function readNumber(text: string): number | undefined {
  return /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : undefined;
}

const sizeUnits = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Writes `3.1 MB`. A kilobyte is 1,000 bytes, as in quotas. */
export function writeSize(bytes: number): string {
  // A number that rounds to 1,000 is 1 of the next unit.
  const { value, unit } = chooseUnit(bytes, 999.95);
  if (unit === 0) return phrase('bytes', roundNumber(value));
  return `${writeNumber(Math.abs(value) < 10 ? Math.round(value * 10) / 10 : value)} ${sizeUnits[unit]}`;
}

/** Writes a remaining size, rounded down: `9.9 GB` for 9,999,999 KB. */
export function writeSizeLeft(bytes: number): string {
  const { value, unit } = chooseUnit(bytes, 1000);
  if (unit === 0) return writeSize(Math.floor(value));
  return `${writeNumber(value < 10 ? Math.floor(value * 10) / 10 : value, 'floor')} ${sizeUnits[unit]}`;
}

function chooseUnit(bytes: number, most: number) {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= most && unit < sizeUnits.length - 1) {
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
  const found = /^\s*([+-]?)(\d[\d,.]*)\s*([a-z]+)\s*$/i.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const count = readNumber(number);
  const bytes = bytesOf[unit.toLowerCase()];
  if (count === undefined || bytes === undefined) return undefined;
  // Floating point makes 1.1 MB 1,100,000.0000000002 bytes.
  const exact = Number(((count * bytes) / 1000).toFixed(6));
  const whole = Math.ceil(exact);
  return sign === '-' && whole > 0 ? -whole : whole;
}
