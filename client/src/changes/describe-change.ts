import { writeDay } from '../format/write-day.ts';
import {
  type Charging,
  nameUnit,
  writeNodeHours,
  writeNodeTime,
} from '../format/write-node-time.ts';
import { writeSize } from '../format/write-size.ts';
import type { Act } from '../generated/operations.ts';

/** The most that the service grants: whoever carries over so many kilobytes keeps all of them. */
export const everything = 1_000_000_000_000_000;

export type Change = Act['details'];

/** What was before and what is now, of everything that is not as it was: `5,000 → 5,500 node-hours`. */
export function describeChange(change: Change | null, charging: Charging): string {
  if (change === null) return '';
  const { time, space, valid_until: end, renews, account } = change;
  return [
    writePair(time, (value) => writeNodeHours(Number(value)), nameUnit(charging)),
    writePair(space, (value) => writeSize(Number(value) * 1000), 'space'),
    writePair(end, (value) => (value === null ? 'no end' : writeDay(String(value)))),
    writePair(renews, (value) => writeRenewal(value, charging)),
    writePair(account, (value) => (value === null ? 'none' : String(value))),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

type Value = string | number | null;

function writePair(value: Change[string] | undefined, write: (value: Value) => string, unit = '') {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return `${write(value)} ${unit}`.trim();
  const { before, after } = value;
  return before === after ? '' : `${write(before)} → ${write(after)} ${unit}`.trim();
}

function writeRenewal(words: Value, charging: Charging): string {
  return words === null ? 'no renewal' : writeInHours(String(words), charging);
}

/** The service says it in seconds and kilobytes. */
export function writeInHours(words: string, charging: Charging): string {
  return words
    .replaceAll(/(\d+) seconds/g, (_, seconds) => writeNodeTime(Number(seconds), charging))
    .replaceAll(/(\d+) kilobytes/g, (_, kilobytes) => writeSpace(Number(kilobytes)))
    .replaceAll(' and 0 bytes', '');
}

function writeSpace(kilobytes: number): string {
  return kilobytes >= everything ? 'all space' : writeSize(kilobytes * 1000);
}
