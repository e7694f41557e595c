import { phrase } from '../words/formats.ts';
import { readDuration, writeDuration } from './duration.ts';

/** So far ahead may be a clock that is slow, or a page that has not looked at it since. */
const aheadSeconds = 10;

/** Writes `4 min ago` or `in 3 d`. */
export function writeAge(moment: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(moment)) / 1000;
  if (seconds < 1 && seconds > -aheadSeconds) return phrase('age.now');
  const span = writeLargest(Math.abs(seconds));
  return phrase(seconds > 0 ? 'age.ago' : 'age.ahead', { span });
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
