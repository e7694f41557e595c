import type { Timeline } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { isTyped } from '../numbers/typed-words.ts';
import { readNumber } from '../numbers/write-number.ts';
import { readSeconds } from './read-hours.ts';

const spans = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
] as const;

/** How the reader writes times. */
const reading = {
  readNumber,
  secondsOf: (unit: string) => spans.find(([span]) => isTyped(unit, `typed.${span}`))?.[1],
};

/**
 * Reads seconds: `2h30m`, `90 min`, `1.5 hours`, `1d`, or `2:30:00` as schedulers write it. Refuses
 * a bare number, which schedulers take for minutes and people for hours.
 */
export function readDuration(text: string): number | undefined {
  return readSeconds(text, reading);
}

/** Reads the hours of a job as somebody types them, with a unit. */
export function readRuntime(text: string): number | undefined {
  const seconds = readDuration(text);
  return seconds !== undefined && seconds > 0 ? seconds / 3600 : undefined;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes the two largest units: `40 s`, `12 min`, `2 h 30 min`, `3 d 4 h`. */
export function writeDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minute) return phrase('duration.s', { amount: whole });
  if (whole < 10 * minute) return joinUnits([whole, minute, 'min'], [whole % minute, 1, 's']);
  if (whole < hour) return phrase('duration.min', { amount: Math.floor(whole / minute) });
  if (whole < day) return joinUnits([whole, hour, 'h'], [whole % hour, minute, 'min']);
  return joinUnits([whole, day, 'd'], [whole % day, hour, 'h']);
}

type Part = readonly [seconds: number, unit: number, name: 's' | 'min' | 'h' | 'd'];

function joinUnits(...parts: readonly Part[]): string {
  return parts
    .map(([seconds, unit, name]) => [Math.floor(seconds / unit), name] as const)
    .filter(([count]) => count > 0)
    .map(([amount, name]) => phrase(`duration.${name}`, { amount }))
    .join(' ');
}

/**
 * Returns the seconds that a job has run: as charged once it has ended, until now while it runs.
 * Returns undefined if it never ran, or if nobody knows.
 */
export function measureRun(timeline: Timeline, now: Date): number | undefined {
  const { ran_seconds: ran, running_since: since, stages, terminal_stage: ended } = timeline;
  if (ran !== null) return ran;
  if (ended || since === null) return undefined;
  const begun = Date.parse(since);
  // Fetching its files may take long, so a job has stopped when its next stage began.
  const next = stages.filter((stage) => Date.parse(stage.since) >= begun)[1]?.since;
  return Math.max(0, (next === undefined ? now.getTime() : Date.parse(next)) - begun) / 1000;
}
