import {
  type Charging,
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { readEnd } from '#client/src/format/quotas/read-grant.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import { readDuration, writeDuration } from '#client/src/format/times/duration.ts';

/**
 * Says how a time was understood, because `10.000` is ten to one reader and ten thousand to another:
 * `= 10,000 node-hours`. Undefined if that is what was typed, or if it cannot be read.
 */
export function echoTime(typed: string, charging: Charging): string | undefined {
  return echo(typed, readNodeTime(typed), (seconds) => writeNodeTime(seconds, charging));
}

export function echoSpace(typed: string): string | undefined {
  return echo(typed, readKilobytes(typed), (kilobytes) => writeSize(kilobytes * 1000));
}

/** Says how memory was understood, if its number could be another one. */
export function echoMemory(typed: string): string | undefined {
  return isAmbiguous(typed) ? echoSpace(typed) : undefined;
}

export function echoDuration(typed: string): string | undefined {
  return isAmbiguous(typed) ? echo(typed, readDuration(typed), writeDuration) : undefined;
}

function isAmbiguous(typed: string): boolean {
  return /[.,]/.test(typed);
}

/** Says which day `31 March` or `3 months` is. */
export function echoDay(typed: string, now: Date): string | undefined {
  return echo(typed, readEnd(typed, now) ?? undefined, writeDay);
}

function echo<Value>(
  typed: string,
  value: Value | undefined,
  write: (value: Value) => string,
): string | undefined {
  const understood = value === undefined ? undefined : write(value);
  return understood === undefined || understood === typed.trim() ? undefined : `= ${understood}`;
}
