import { phrase } from '../../words/formats.ts';
import { writeDay } from './day.ts';
import { readDuration, writeDuration } from './duration.ts';

/** So far ahead may be a clock that is slow, or a page that has not looked at it since. */
const aheadSeconds = 10;

/** Nobody counts back more days than these: a date says more. */
const mostDays = 60;

/** Writes `4 min ago`, `in 3 d`, or the day if that is far away. */
export function writeAge(moment: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(moment)) / 1000;
  if (seconds < 1 && seconds > -aheadSeconds) return phrase('age.now');
  const span = writeSpan(Math.abs(seconds));
  if (span === undefined) return writeDay(moment, 'short');
  return phrase(seconds > 0 ? 'age.ago' : 'age.ahead', { span });
}

/** Writes an age under a heading that says so: `4 min`, or the day. */
export function writeBareAge(moment: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(moment)) / 1000);
  return writeSpan(seconds) ?? writeDay(moment, 'short');
}

function writeSpan(seconds: number): string | undefined {
  return seconds < (mostDays + 1) * 86_400 ? writeLargest(seconds) : undefined;
}

/** Reads how many seconds ago something was: `3 d ago` as pages print it, or `3d`. */
export function readAge(text: string): number | undefined {
  const ago = phrase('age.ago', { span: '' }).trim();
  const words = text.replace(/\s*ago$/, '').split(/\s+/);
  return readDuration(words.filter((word) => word !== ago).join(' '));
}

/** One unit is enough for an age. */
export function writeLargest(seconds: number): string {
  const [count = '', unit = ''] = writeDuration(seconds).split(' ');
  return `${count} ${unit}`;
}
